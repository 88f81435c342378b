// What Slurm's programs print with `--oneliner`: a row of `Key=Value` for each thing. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace yard::engine::slurm {

// Values may hold spaces: a value goes on until the next ` Key=`. The first of two equal keys
// counts, since free text (reasons, comments) comes last. "(null)", "N/A" and "none" are empty.
using Row = std::map<std::string, std::string, std::less<>>;

std::vector<Row> ParseRows(std::string_view text);
// Empty if there is no such key.
std::string_view Field(const Row& row, std::string_view key);

// "2026-11-16T11:07:56" in UTC: Slurm is run with TZ=UTC. Absent: "Unknown", "NONE", "N/A".
std::optional<Time> ParseSlurmTime(std::string_view text);

}  // namespace yard::engine::slurm

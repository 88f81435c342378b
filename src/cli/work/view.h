// Workloads as people see them. Pure: the present is an argument.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/time.h"
#include "cli/table.h"

namespace yard::cli {

// "5m", "2h30m", "3d" since that time; "-" if it is absent.
std::string AgeOf(const json::value& object, std::string_view path, Time now);
// Its phase; "Deleted" once it is.
std::string PhaseOf(const json::value& workload);
// When it ended, as the API says it; empty if it has not.
std::string EndOf(const json::value& workload);
// "2", "0.5", "20Gi"; "-" for none.
std::string GpusOf(const json::value& workload);
// The machine-readable reason of its phase; "-" if there is none.
std::string ReasonOf(const json::value& workload);
// "node-1", "node-1 +3"; "-" when nothing runs.
std::string NodesOf(const json::value& workload);

enum class Columns { kUsual, kPeople, kAll };  // kPeople: whose it is, too

// One row per workload, and one per array: "sweep[10]", "3 Running, 7 Pending". The server may
// have summed an array up: its one row says so in `array.items` and `array.phases`.
Table PsTable(std::span<const json::value> workloads, Columns columns, Time now);

// For programs: one row per workload, times as RFC 3339, nothing cut, empty where there is nothing.
Table WorkRecords(std::span<const json::value> workloads);

// "bs=16 lr=0.1" of an item of a grid; empty of other work.
std::string ParametersOf(const json::value& workload);
// The items of an array, one row each; those of a grid with the values of their parameters.
Table MemberTable(std::span<const json::value> items, Time now);
// "sweep" of "sweep-3" or, with a suffix of its own, of "sweep-3-k2x9a".
std::string ArrayName(const json::value& workload);
// "3 Running, 7 Pending", the commonest first.
std::string PhaseCounts(const std::vector<const json::value*>& items);

std::string OrDash(const std::string& text);

}  // namespace yard::cli

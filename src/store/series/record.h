// What the log holds: batches of points and deletions of runs, as bytes. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/series.h"

namespace yard::store {

struct RunDeletion {
  RunKey run;
};

using SeriesRecord = std::variant<SeriesBatch, RunDeletion>;

// Appends one record with its length.
void AppendRecord(std::string& out, const SeriesRecord& record);

// All records of a frame; nothing if the bytes are not records.
std::optional<std::vector<SeriesRecord>> ReadRecords(std::string_view bytes);

}  // namespace yard::store

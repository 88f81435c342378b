// The series store of one directory: a log, memory, and blocks in `series.db`.
//
// See store/series.h for the contract. One thread takes all batches that wait, writes them as one
// frame, syncs it, shows them to readers and answers; another moves full memory into blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/series.h"

namespace yard::store {

struct SeriesOptions {
  // Points held in memory before they are moved into blocks; 24 bytes each.
  std::size_t memory_points = 1'000'000;
  // Bytes of batches that may wait for the disk.
  std::size_t waiting_bytes = 64 << 20;
};

// Makes the directory if needed. One process owns it at a time: a second open is kConflict.
Result<std::unique_ptr<SeriesStore>> OpenSeries(const std::string& directory,
                                                const SeriesOptions& options = {});

}  // namespace yard::store

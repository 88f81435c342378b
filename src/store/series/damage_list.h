// What was found damaged, once each. Thread-safe.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/series.h"
#include "store/series/merge.h"

namespace yard::store {

class DamageList {
 public:
  void Add(std::string words) {
    std::lock_guard guard(mutex_);
    if (std::ranges::find(all_, words) == all_.end()) all_.push_back(std::move(words));
  }
  // A block of the database.
  DamagedBlock Add(const SeriesKey& key, const StoredBlock& block) {
    std::string where =
        fmt::format("series.db: block {} of metric '{}' of run '{}', steps {} to {}, is damaged",
                    block.id, key.name, key.run.text, block.first_step, block.last_step);
    Add(where);
    return {.where = where, .first_step = block.first_step, .last_step = block.last_step};
  }
  std::vector<std::string> All() const {
    std::lock_guard guard(mutex_);
    return all_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> all_;  // guarded by mutex_
};

}  // namespace yard::store

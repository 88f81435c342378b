// What was found damaged, once each. Thread-safe.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/mutex.h"
#include "store/series.h"
#include "store/series/merge.h"

namespace yard::store {

class DamageList {
 public:
  void Add(std::string words) {
    MutexLock guard(mutex_);
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
    MutexLock guard(mutex_);
    return all_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> all_ YARD_GUARDED_BY(mutex_);
};

}  // namespace yard::store

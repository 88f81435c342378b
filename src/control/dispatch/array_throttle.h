// Which items of arrays may run: of each array, at most its throttle at a time, lowest index
// first. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "model/ids.h"
#include "model/workload.h"

namespace yard::control {

class ArrayThrottle {
 public:
  // Whether the item may be considered now; it then counts until Leave.
  bool MayEnter(const Workload& item);
  // The item runs, whatever the throttle says.
  void Enter(const Workload& item);
  // The item no longer counts or waits; returns one that may be considered in its place.
  std::optional<WorkloadId> Leave(const Workload& item);
  void Clear() { arrays_.clear(); }

 private:
  struct Array {
    std::set<WorkloadId> inside;
    std::set<std::pair<std::int64_t, WorkloadId>> waiting;  // by index
  };
  using Key = std::pair<ProjectId, std::string>;

  static bool Counts(const Workload& item) {
    return item.rules.array && item.rules.array->throttle > 0;
  }
  static Key KeyOf(const Workload& item) { return {item.project, item.rules.array->id}; }

  std::map<Key, Array> arrays_;
};

}  // namespace yard::control

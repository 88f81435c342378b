#include "control/dispatch/array_throttle.h"

namespace yard::control {

bool ArrayThrottle::MayEnter(const Workload& item) {
  if (!Counts(item)) return true;
  Array& array = arrays_[KeyOf(item)];
  bool free = static_cast<std::int64_t>(array.inside.size()) < item.rules.array->throttle;
  if (!array.inside.contains(item.id) && !free) {
    array.waiting.emplace(item.rules.array->index, item.id);
    return false;
  }
  Enter(item);
  return true;
}

void ArrayThrottle::Enter(const Workload& item) {
  if (!Counts(item)) return;
  Array& array = arrays_[KeyOf(item)];
  array.waiting.erase({item.rules.array->index, item.id});
  array.inside.insert(item.id);
}

std::optional<WorkloadId> ArrayThrottle::Leave(const Workload& item) {
  if (!Counts(item)) return std::nullopt;
  auto at = arrays_.find(KeyOf(item));
  if (at == arrays_.end()) return std::nullopt;
  Array& array = at->second;
  array.waiting.erase({item.rules.array->index, item.id});
  bool left = array.inside.erase(item.id) > 0;
  std::optional<WorkloadId> next;
  if (left && !array.waiting.empty()) next = array.waiting.begin()->second;
  if (array.inside.empty() && array.waiting.empty()) arrays_.erase(at);
  return next;
}

}  // namespace yard::control

// What a change is called.
#include <fmt/format.h>

#include "sched/explain/what_if.h"

namespace yard::sched {

using Kind = Change::Kind;

std::string Describe(const Change& change, const Snapshot& snapshot) {
  const auto pool = [&] {
    return snapshot.pools[static_cast<std::size_t>(change.pool.value)].name;
  };
  const auto queue = [&] {
    return snapshot.queues[static_cast<std::size_t>(change.queue.value)].name;
  };
  switch (change.kind) {
    case Kind::kFewerGpus:
      return fmt::format("with {} GPU per task", FormatMilli(change.amount));
    case Kind::kSmallerPart:
      return fmt::format("with {} of each GPU", FormatMilli(change.amount));
    case Kind::kLessGpuMemory:
      return fmt::format("with {} MiB of GPU memory", change.amount);
    case Kind::kFewerTasks:
      return fmt::format("with {} task{}", change.amount, change.amount == 1 ? "" : "s");
    case Kind::kOtherPool:
      return "on pool " + pool();
    case Kind::kPreemptible:
      return "as preemptible";
    case Kind::kMoreQuota:
      return fmt::format("if the quota of {} in pool {} were {} GPU larger", queue(), pool(),
                         FormatMilli(change.amount));
    case Kind::kHigherLimit:
      return fmt::format("if the limit of {} in pool {} were {} GPU larger", queue(), pool(),
                         FormatMilli(change.amount));
    case Kind::kLessCpu:
      return fmt::format("with {} CPU per task", FormatMilli(change.amount));
    case Kind::kLessMemory:
      return fmt::format("with {} MiB of memory per task", change.amount);
    case Kind::kAnyModel:
      return "on any GPU model";
    case Kind::kAnyLabels:
      return "without required labels";
    case Kind::kTolerate:
      return "tolerating the taints";
    case Kind::kNoTopology:
      return "without the required topology";
    case Kind::kShorterLimit:
      return fmt::format("with a time limit of {} min", change.amount / Minutes(1).value);
    case Kind::kHigherPriority:
      return fmt::format("with priority {}", change.amount);
    case Kind::kAsTraining:
      return "as training instead of interactive";
    case Kind::kMoves:
      return fmt::format("if the scheduler may move {} running task{}", change.amount,
                         change.amount == 1 ? "" : "s");
  }
  return {};
}

}  // namespace yard::sched

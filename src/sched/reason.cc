#include "sched/reason.h"

#include <fmt/format.h>

#include "sched/snapshot.h"

namespace yard::sched {
namespace {

// Of MiB; a tenth is enough for people.
std::string MemoryText(std::int64_t value) {
  constexpr std::int64_t kGib = 1024;
  if (value < kGib) return fmt::format("{} MiB", value);
  return FormatMilli((value * 10 + kGib / 2) / kGib * 100) + " GiB";
}

// A reservation without a queue is somebody's whom the reader may not know.
std::string QueueName(const Reason& reason, const Snapshot& snapshot) {
  const bool reserved = reason.cause == Cause::kReserved;
  if (reason.queue == kNone<QueueIndex>) return reserved ? "another project" : "the queue";
  return (reserved ? "project " : "") +
         snapshot.queues[static_cast<std::size_t>(reason.queue.value)].name;
}

std::string PoolName(const Reason& reason, const Snapshot& snapshot) {
  if (reason.pool == kNone<PoolIndex>) return "any pool";
  return "pool " + snapshot.pools[static_cast<std::size_t>(reason.pool.value)].name;
}

std::string WindowText(const Reason& reason, Time now) {
  const std::string until = "until " + FormatRfc3339(reason.until);
  return reason.from <= now ? until : "from " + FormatRfc3339(reason.from) + " " + until;
}

// Whole sentences with the numbers; `Has`, `Of`, `Wants` are the amounts of the reason.
struct Words {
  std::string pool;
  std::string queue;
  std::string bound;
  std::string allocated;
  std::string wants;
  std::string when;  // of a reservation
};

std::string AdmissionSentence(Cause cause, const Words& w) {
  switch (cause) {
    case Cause::kQueueBlocked:
      return fmt::format("{} may not use {}: its limit there is 0.", w.queue, w.pool);
    case Cause::kOverLimit:
      return fmt::format("{} would exceed its limit in {}: limit {}, allocated {}, requested {}.",
                         w.queue, w.pool, w.bound, w.allocated, w.wants);
    case Cause::kNonPreemptibleOverQuota:
      return fmt::format(
          "Non-preemptible work must fit the quota of {} in {}: quota {}, non-preemptible "
          "allocated {}, requested {}. A preemptible workload may go over quota.",
          w.queue, w.pool, w.bound, w.allocated, w.wants);
    case Cause::kUserGpuCap:
      return fmt::format("The user's cap is {}: allocated {}, requested {}.", w.bound, w.allocated,
                         w.wants);
    case Cause::kUserInteractiveCap:
      return fmt::format("The user may run {} interactive workloads and runs {}.", w.bound,
                         w.allocated);
    case Cause::kProjectInteractiveCap:
      return fmt::format("{} may run {} interactive workloads and runs {}.", w.queue, w.bound,
                         w.allocated);
    default:
      return fmt::format("{} has no node pool to use.", w.queue);
  }
}

std::string UnsuitableSentence(Cause cause, const Words& w) {
  switch (cause) {
    case Cause::kModel:
      return fmt::format("No node of {} has a GPU of the requested model.", w.pool);
    case Cause::kLabels:
      return fmt::format("No node of {} has the requested labels.", w.pool);
    case Cause::kTaints:
      return fmt::format("Every suitable node of {} has a taint it does not tolerate.", w.pool);
    case Cause::kNodeTooSmall:
      if (w.wants.starts_with("0 "))
        return fmt::format("No node of {} is large enough, even when empty.", w.pool);
      return fmt::format("No node of {} is large enough: it asks for {}, the largest has {}.",
                         w.pool, w.wants, w.bound);
    default:
      return fmt::format("No node of {} is in service.", w.pool);
  }
}

std::string RoomSentence(Cause cause, const Words& w) {
  switch (cause) {
    case Cause::kGpus:
      return fmt::format("{} has {} free, {} requested.", w.pool, w.bound, w.wants);
    case Cause::kFragmented:
      return fmt::format("{} has {} free in sum, but not together for {}.", w.pool, w.bound,
                         w.wants);
    case Cause::kCpu:
    case Cause::kMemory:
    case Cause::kExtended:
      return fmt::format("A node of {} with enough GPUs has only {} free of the requested {}.",
                         w.pool, w.bound, w.wants);
    case Cause::kGang:
      return fmt::format("Only {} of {} tasks find a place in {} together.", w.bound, w.wants,
                         w.pool);
    case Cause::kTopology:
      return fmt::format("It fits {}, but not inside one topology domain.", w.pool);
    case Cause::kReserved:
      return fmt::format("{} of {} are reserved for {} {}; {} would cut into them.", w.bound,
                         w.pool, w.queue, w.when, w.wants);
    case Cause::kPlaceHeld:
      return fmt::format("A place in {} is held for it; it starts when the work there has stopped.",
                         w.pool);
    case Cause::kBackfill:
      return fmt::format("Starting now in {} would delay a workload ahead of it.", w.pool);
    default:
      return fmt::format("Workloads ahead of it took what was free in {}.", w.pool);
  }
}

}  // namespace

std::string Amount(Resource resource, std::int64_t value) {
  switch (resource) {
    case Resource::kGpu:
      return FormatMilli(value) + " GPU";
    case Resource::kCpu:
      return FormatMilli(value) + " CPU";
    case Resource::kMemory:
      return MemoryText(value);
    case Resource::kCount:
      return fmt::format("{}", value);
  }
  return {};
}

std::string CauseName(Cause cause) {
  static constexpr const char* kNames[] = {"none",
                                           "held",
                                           "noPool",
                                           "queueBlocked",
                                           "overLimit",
                                           "nonPreemptibleOverQuota",
                                           "userGpuCap",
                                           "userInteractiveCap",
                                           "projectInteractiveCap",
                                           "noNodes",
                                           "model",
                                           "labels",
                                           "taints",
                                           "nodeTooSmall",
                                           "gpus",
                                           "fragmented",
                                           "cpu",
                                           "memory",
                                           "extended",
                                           "gang",
                                           "topology",
                                           "reserved",
                                           "backfill",
                                           "behind",
                                           "placeHeld"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string Sentence(const Reason& reason, const Snapshot& snapshot) {
  if (reason.cause == Cause::kNone) return "Nothing stands in its way.";
  if (reason.cause == Cause::kHeld) return "It is held back.";
  Resource unit = reason.resource;
  const Words words{PoolName(reason, snapshot),     QueueName(reason, snapshot),
                    Amount(unit, reason.bound),     Amount(unit, reason.allocated),
                    Amount(unit, reason.requested), WindowText(reason, snapshot.now)};
  std::string text;
  if (reason.cause < Cause::kNoNodes) {
    text = AdmissionSentence(reason.cause, words);
  } else if (reason.cause < Cause::kGpus) {
    text = UnsuitableSentence(reason.cause, words);
  } else {
    text = RoomSentence(reason.cause, words);
  }
  if (!text.empty() && text[0] == 'p') text[0] = 'P';
  return text;
}

}  // namespace yard::sched

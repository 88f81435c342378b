#include "sched/reason.h"

#include <algorithm>
#include <cctype>
#include <vector>

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

// A moment to the second: people read it.
std::string Moment(Time at) {
  constexpr std::size_t kToTheSecond = 19;
  return FormatRfc3339(at).substr(0, kToTheSecond) + "Z";
}

std::string WindowText(const Reason& reason, Time now) {
  const std::string until = "until " + Moment(reason.until);
  return reason.from <= now ? until : "from " + Moment(reason.from) + " " + until;
}

// The kind of task that found no place; nothing if the reason is not about one.
const TaskShape* ShapeOf(const Reason& reason, const Snapshot& snapshot) {
  const auto row = static_cast<std::size_t>(reason.shape.value);
  return reason.shape == kNone<ShapeIndex> || row >= snapshot.shapes.size() ? nullptr
                                                                            : &snapshot.shapes[row];
}

std::string Listed(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

// "type=dgx or type=ovx, and zone=b".
std::string LabelsText(const TaskShape& shape, const Snapshot& snapshot) {
  std::vector<std::string> all;
  for (const std::vector<LabelIndex>& any : shape.labels) {
    std::vector<std::string> names;
    for (LabelIndex label : any) {
      names.push_back(snapshot.labels[static_cast<std::size_t>(label.value)]);
    }
    all.push_back(names.empty() ? "a label that no node has" : Listed(names, "or"));
  }
  return Listed(all, "and");
}

std::string ModelsText(const TaskShape& shape, const Snapshot& snapshot) {
  std::vector<std::string> names;
  for (ModelIndex model : shape.models) {
    names.push_back(snapshot.models[static_cast<std::size_t>(model.value)].name);
  }
  return Listed(names, "or");
}

std::string ExtendedText(const TaskShape& shape, const Snapshot& snapshot) {
  std::vector<std::string> names;
  for (const ExtendedAmount& need : shape.extended) {
    names.push_back(snapshot.extended[static_cast<std::size_t>(need.resource.value)]);
  }
  return Listed(names, "and");
}

// What the nodes of the pool have instead: GPU models, or taints that repel the task.
std::string NodesText(const Reason& reason, const TaskShape& shape, const Snapshot& snapshot) {
  std::vector<std::string> words;
  auto add = [&words](const std::string& word) {
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  };
  for (const Node& node : snapshot.nodes) {
    if (node.pool != reason.pool) continue;
    if (reason.cause == Cause::kModel && node.model != kNone<ModelIndex>) {
      add(snapshot.models[static_cast<std::size_t>(node.model.value)].name);
    }
    if (reason.cause != Cause::kTaints) continue;
    for (LabelIndex taint : node.taints) {
      if (std::ranges::binary_search(shape.tolerations, taint)) continue;
      add(snapshot.labels[static_cast<std::size_t>(taint.value)]);
    }
  }
  return Listed(words, "and");
}

// "4 GPU, 8 CPU and 16 GiB".
std::string TaskText(const TaskShape& shape) {
  std::vector<std::string> words;
  if (shape.gpu_memory_each.value > 0) {
    words.push_back(fmt::format("{} GPU with {} each", shape.gpu_count,
                                Amount(Resource::kGpuMemory, shape.gpu_memory_each.value)));
  } else if (shape.gpu_count > 0) {
    words.push_back(Amount(Resource::kGpu, shape.gpu_count * shape.gpu_each.value));
  }
  if (shape.cpu.value > 0) words.push_back(Amount(Resource::kCpu, shape.cpu.value));
  if (shape.memory.value > 0) words.push_back(Amount(Resource::kMemory, shape.memory.value));
  return Listed(words, "and");
}

// Whole sentences with the numbers and names of the reason.
struct Words {
  std::string pool;
  std::string queue;
  std::string bound;
  std::string allocated;
  std::string wants;
  std::string when;   // of a reservation, a guard or a planned start
  std::string names;  // labels, models, topology level that were asked for
  std::string have;   // what the nodes have instead
  std::string task;   // one task
  bool has_gpus = true;
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
      return fmt::format("No node of {} has a GPU of the requested model {}; it has {}.", w.pool,
                         w.names, w.have.empty() ? "no GPUs" : w.have);
    case Cause::kLabels:
      return fmt::format("No node of {} has the requested label {}.", w.pool, w.names);
    case Cause::kTaints:
      return fmt::format("Every suitable node of {} has a taint it does not tolerate: {}.", w.pool,
                         w.have);
    case Cause::kNodeTooSmall:
      if (w.wants.starts_with("0 "))
        return fmt::format(
            "No single node of {} has all that one task asks for, even when empty: "
            "{}.",
            w.pool, w.task);
      return fmt::format("No node of {} is large enough: it asks for {}, the largest has {}.",
                         w.pool, w.wants, w.bound);
    default:
      return fmt::format("No node of {} is in service.", w.pool);
  }
}

std::string RoomSentence(Cause cause, const Words& w) {
  switch (cause) {
    case Cause::kGpus:
      return fmt::format("{} has {} free, {} requested{}.", w.pool, w.bound, w.wants,
                         w.allocated == Amount(Resource::kGpu, 0)
                             ? ""
                             : fmt::format("; {} free on nodes that do not suit it", w.allocated));
    case Cause::kFragmented:
      return fmt::format("{} has {} free in sum, but not together for {}.", w.pool, w.bound,
                         w.wants);
    case Cause::kCpu:
    case Cause::kMemory:
    case Cause::kExtended:
      return fmt::format("A node of {}{} has only {} free of the requested {}{}.", w.pool,
                         w.has_gpus ? " with enough GPUs" : "", w.bound, w.wants,
                         w.names.empty() ? "" : " of " + w.names);
    case Cause::kGang:
      return fmt::format("Only {} of {} tasks find a place in {} together.", w.bound, w.wants,
                         w.pool);
    case Cause::kTopology:
      return fmt::format("It fits {}, but not inside one domain of the topology key {}.", w.pool,
                         w.names);
    case Cause::kReserved:
      return fmt::format("{} of {} are reserved for {} {}; {} would cut into them.", w.bound,
                         w.pool, w.queue, w.when, w.wants);
    case Cause::kPlaceHeld:
      return fmt::format("A place in {} is held for it; it starts when the work there has stopped.",
                         w.pool);
    case Cause::kBackfill:
      return fmt::format("Starting now in {} would delay a workload ahead of it{}.", w.pool,
                         w.when);
    case Cause::kOutOfService:
      return fmt::format(
          "It can run in {} only with machines that are out of service: {} of {} in service, {} "
          "requested.",
          w.pool, w.bound, w.allocated, w.wants);
    case Cause::kPreemptionOff:
      return "Work that runs is not stopped for it, since preemption is switched off "
             "(scheduler.preemption).";
    case Cause::kGuarded:
      return fmt::format(
          "It may take the place of work that runs, which is guarded until {} "
          "(minimum run time, or stopped too often of late).",
          w.when);
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
    case Resource::kGpuMemory:
      return MemoryText(value) + " of GPU memory";
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
                                           "placeHeld",
                                           "outOfService",
                                           "preemptionOff",
                                           "guarded"};
  return kNames[static_cast<std::size_t>(cause)];
}

namespace {

std::string WhenText(const Reason& reason, Time now) {
  if (reason.cause == Cause::kGuarded) return Moment(reason.until);
  if (reason.cause == Cause::kReserved) return WindowText(reason, now);
  return reason.from > now ? " that is to start at " + Moment(reason.from) : "";
}

std::string LevelText(const Reason& reason, const Snapshot& snapshot) {
  const auto level = static_cast<std::size_t>(reason.level);
  if (reason.level >= 0 && level < snapshot.levels.size()) return snapshot.levels[level];
  return fmt::format("of level {}", reason.level);
}

Words WordsOf(const Reason& reason, const Snapshot& snapshot) {
  Words words{.pool = PoolName(reason, snapshot),
              .queue = QueueName(reason, snapshot),
              .bound = Amount(reason.resource, reason.bound),
              .allocated = Amount(reason.resource, reason.allocated),
              .wants = Amount(reason.resource, reason.requested),
              .when = WhenText(reason, snapshot.now),
              .names = {},
              .have = {},
              .task = {}};
  if (reason.cause == Cause::kTopology) words.names = LevelText(reason, snapshot);
  const TaskShape* shape = ShapeOf(reason, snapshot);
  if (shape == nullptr) return words;
  words.has_gpus = shape->gpu_count > 0;
  words.task = TaskText(*shape);
  if (reason.cause == Cause::kLabels) words.names = LabelsText(*shape, snapshot);
  if (reason.cause == Cause::kModel) words.names = ModelsText(*shape, snapshot);
  if (reason.cause == Cause::kExtended) words.names = ExtendedText(*shape, snapshot);
  words.have = NodesText(reason, *shape, snapshot);
  return words;
}

// Amounts that are "free" when nothing runs must not read as free now.
bool SoundsLikeNow(Cause cause) {
  return cause >= Cause::kGpus && cause <= Cause::kTopology;
}

}  // namespace

std::string Sentence(const Reason& reason, const Snapshot& snapshot) {
  if (reason.cause == Cause::kNone) return "Nothing stands in its way.";
  if (reason.cause == Cause::kHeld) return "It is held back.";
  const Words words = WordsOf(reason, snapshot);
  std::string text;
  if (reason.cause < Cause::kNoNodes) {
    text = AdmissionSentence(reason.cause, words);
  } else if (reason.cause < Cause::kGpus) {
    text = UnsuitableSentence(reason.cause, words);
  } else {
    text = RoomSentence(reason.cause, words);
  }
  if (!text.empty() && text[0] == 'p') text[0] = 'P';
  if (reason.footing == Footing::kEmpty && SoundsLikeNow(reason.cause)) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return "Even if nothing else ran: " + text;
  }
  return text;
}

}  // namespace yard::sched

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "sched/schedule.h"
#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

// What running workloads leave free, for putting test workloads somewhere plain: the first node
// and the first GPUs that fit.
class PlainPlacer {
 public:
  explicit PlainPlacer(const Snapshot& snapshot) : snapshot_(snapshot) {
    for (const Node& node : snapshot.nodes) {
      auto& free = free_.emplace_back();
      for (const Gpu& gpu : node.gpus) free.push_back(gpu.usable.value);
    }
    for (const Workload& workload : snapshot.workloads) {
      if (workload.state != WorkloadState::kRunning) continue;
      for (const TaskPlacement& task : workload.tasks) Take(task);
    }
  }

  TaskPlacement Place(const TaskShape& shape, std::int32_t group, std::size_t first,
                      std::size_t last) {
    for (std::size_t n = first; n <= last; ++n) {
      std::int64_t each = shape.gpu_each.value;
      if (shape.gpu_memory_each.value > 0) {
        const auto model = static_cast<std::size_t>(snapshot_.nodes[n].model.value);
        const std::int64_t memory = snapshot_.models[model].memory.value;
        each = (shape.gpu_memory_each.value * 1000 + memory - 1) / memory;
      }
      TaskPlacement at{group, NodeIndex(static_cast<std::int32_t>(n)), 0, MilliGpu(each)};
      for (std::size_t g = 0; g < free_[n].size(); ++g) {
        if (std::popcount(at.gpus) == shape.gpu_count) break;
        if (free_[n][g] >= each) at.gpus |= std::uint64_t{1} << g;
      }
      if (std::popcount(at.gpus) != shape.gpu_count) continue;
      Take(at);
      return at;
    }
    YARD_CHECK(!"a running workload of the test fits nowhere");
    return {};
  }

 private:
  void Take(const TaskPlacement& task) {
    for (std::uint64_t rest = task.gpus; rest != 0; rest &= rest - 1) {
      free_[static_cast<std::size_t>(task.node.value)]
           [static_cast<std::size_t>(std::countr_zero(rest))] -= task.each.value;
    }
  }
  const Snapshot& snapshot_;
  std::vector<std::vector<std::int64_t>> free_;
};

void ReadGpus(const Words& words, TaskShape& shape) {
  if (words.Has("mib")) {
    shape.gpu_count = 1;
    shape.gpu_memory_each = Mebibytes(words.Number("mib", 0));
  }
  if (!words.Has("gpu")) return;
  const std::string text = words.Text("gpu");
  if (const auto cross = text.find('x'); cross != std::string::npos) {
    shape.gpu_count = std::stoi(text.substr(0, cross));
    if (!words.Has("mib")) shape.gpu_each = MilliGpu(Milli(text.substr(cross + 1)));
    return;
  }
  const std::int64_t milli = Milli(text);
  shape.gpu_count = milli < 1000 ? (milli > 0 ? 1 : 0) : static_cast<std::int32_t>(milli / 1000);
  if (milli > 0 && milli < 1000) shape.gpu_each = MilliGpu(milli);
}

}  // namespace

void Cluster::ParseGroup(Workload& workload, const Words& words) {
  TaskShape shape;
  ReadGpus(words, shape);
  if (words.Has("cpu")) shape.cpu = MilliCpu(Milli(words.Text("cpu")));
  shape.memory = Mebibytes(words.Number("mem", 0) * 1024);
  for (const std::string& name : Cut(words.Text("model"), '|')) {
    shape.models.push_back(ModelIndex(RowOf(snapshot_.models, name)));
  }
  for (const auto& [key, value] : words.pairs) {
    if (key == "label") shape.labels.push_back(Labels(value, '|'));
    const auto extended = std::ranges::find(snapshot_.extended, key);
    if (extended == snapshot_.extended.end()) continue;
    const auto row = static_cast<std::int32_t>(extended - snapshot_.extended.begin());
    shape.extended.push_back({ExtendedIndex(row), std::stoll(value)});
  }
  shape.tolerations = Labels(words.Text("tolerate"), ',');
  auto at = std::ranges::find(snapshot_.shapes, shape);
  if (at == snapshot_.shapes.end()) {
    snapshot_.shapes.push_back(shape);
    at = snapshot_.shapes.end() - 1;
  }
  workload.groups.push_back({ShapeIndex(static_cast<std::int32_t>(at - snapshot_.shapes.begin())),
                             static_cast<std::int32_t>(words.Number("count", 1)),
                             static_cast<std::int32_t>(words.Number("max", 0))});
}

void Cluster::ParseTimes(Workload& workload, const Words& words) {
  workload.created = snapshot_.now - ParseSpan(words.Text("age", "0s"));
  workload.started = snapshot_.now - ParseSpan(words.Text("age", "1h"));
  workload.time_limit = ParseSpan(words.Text("limit", "0s"));
  workload.expected_runtime = ParseSpan(words.Text("runtime", "0s"));
  if (words.Has("idlelimit")) workload.rare.Edit().idle_limit = ParseSpan(words.Text("idlelimit"));
  if (words.Has("idle"))
    workload.rare.Edit().idle_since = snapshot_.now - ParseSpan(words.Text("idle"));
  if (words.Has("stale"))
    workload.rare.Edit().stale_since = snapshot_.now - ParseSpan(words.Text("stale"));
}

Workload Cluster::ParseWorkload(std::string_view text) {
  const std::vector<std::string> groups = Cut(text, '+');
  const Words words(groups.front(), Words::Noun::kAbsent);
  Workload workload;
  workload.id = WorkloadId(static_cast<std::int64_t>(snapshot_.workloads.size()) + 1);
  workload.name = words.name;
  workload.queue = QueueIndex(RowOf(snapshot_.queues, Cut(words.name, '/').front()));
  if (words.Has("user")) workload.user = UserIndex(RowOf(snapshot_.users, words.Text("user")));
  if (words.Has("np")) workload.preemptibility = Preemptibility::kNonPreemptible;
  if (words.Has("interactive")) workload.kind = WorkloadKind::kInteractive;
  workload.priority = static_cast<std::int32_t>(words.Number("prio", 50));
  workload.user_priority = static_cast<std::int32_t>(words.Number("uprio", 0));
  workload.required_level = static_cast<std::int8_t>(words.Number("level", -1));
  workload.preferred_level = static_cast<std::int8_t>(words.Number("prefer", -1));
  for (const std::string& pool : Cut(words.Text("pools"), ',')) {
    workload.pools.push_back(PoolNamed(pool));
  }
  ParseTimes(workload, words);
  for (const std::string& group : groups) {
    ParseGroup(workload, &group == &groups.front() ? words : Words(group, Words::Noun::kAbsent));
  }
  return workload;
}

void Cluster::AddWorkloads(std::string_view text, WorkloadState state) {
  for (const std::string& statement : Cut(text, ';')) {
    Workload workload = ParseWorkload(statement);
    workload.state = state;
    const Words words(Cut(statement, '+').front(), Words::Noun::kAbsent);
    const std::vector<std::string> nodes = Cut(words.Text("on"), ',');
    PlainPlacer placer(snapshot_);
    std::size_t turn = 0;
    for (std::size_t g = 0; g < workload.groups.size() && state == WorkloadState::kRunning; ++g) {
      const TaskGroup& group = workload.groups[g];
      const TaskShape& shape = snapshot_.shapes[static_cast<std::size_t>(group.shape.value)];
      const auto tasks = words.Number("tasks", group.count);
      for (std::int64_t i = 0; i < tasks; ++i, ++turn) {
        std::size_t first = 0;
        std::size_t last = snapshot_.nodes.size() - 1;
        if (!nodes.empty()) {
          first = last =
              static_cast<std::size_t>(RowOf(snapshot_.nodes, nodes[turn % nodes.size()]));
        }
        workload.tasks.push_back(placer.Place(shape, static_cast<std::int32_t>(g), first, last));
      }
    }
    snapshot_.workloads.push_back(std::move(workload));
  }
}

Cluster& Cluster::Running(std::string_view text) {
  AddWorkloads(text, WorkloadState::kRunning);
  return *this;
}

Cluster& Cluster::Pending(std::string_view text) {
  AddWorkloads(text, WorkloadState::kPending);
  return *this;
}

Cluster& Cluster::Held(std::string_view text) {
  AddWorkloads(text, WorkloadState::kHeld);
  return *this;
}

Cluster& Cluster::Rules(std::string_view text) {
  const Words all("rules " + std::string(text), Words::Noun::kPresent);
  const auto has = [&](const std::string& word) { return all.name == word || all.Has(word); };
  if (has("nth")) policy_.fairness = Fairness::kNthGpu;
  if (has("fifo")) policy_.fairness = Fairness::kFifo;
  if (has("decayed")) policy_.fairness = Fairness::kDecayedShare;
  if (has("nopreempt")) policy_.preemption = Preemption::kNever;
  if (has("backfill")) policy_.backfill = Backfill::kConservative;
  if (has("people")) policy_.people = People::kByUse;
  if (has("firstgpu")) policy_.first_gpu = FirstGpu::kPreempts;
  if (has("heads")) policy_.backfill = Backfill::kHeads;
  policy_.max_moves = static_cast<std::int32_t>(all.Number("moves", policy_.max_moves));
  policy_.decay_k_milli = all.Number("k", policy_.decay_k_milli);
  policy_.saturation_milli = all.Number("sat", policy_.saturation_milli);
  if (all.Has("stale")) policy_.stale_gang_after = ParseSpan(all.Text("stale"));
  return *this;
}

WorkloadIndex Cluster::Find(std::string_view workload) const {
  return WorkloadIndex(RowOf(snapshot_.workloads, std::string(workload)));
}

sched::Plan Cluster::Decide() const {
  auto plan = Schedule(snapshot_, policy_);
  YARD_CHECK(plan.has_value());
  return std::move(*plan);
}

std::string Cluster::Plan() const {
  return Describe(Decide(), snapshot_);
}

std::string Cluster::Why(std::string_view workload) const {
  const sched::Plan plan = Decide();
  const WorkloadIndex index = Find(workload);
  for (const Start& start : plan.starts) {
    if (start.workload == index) return "starts";
  }
  for (const Refusal& refusal : plan.refusals) {
    if (refusal.first == index) return CauseName(refusal.reason.cause);
  }
  return "?";
}

}  // namespace yard::sched

#include "control/sched/shapes.h"

#include <algorithm>

#include "base/strings.h"
#include "model/spec/spec.h"

namespace yard::control {
namespace {

constexpr std::string_view kNodeTypeLabel = "run.ai/type";

bool Tolerates(const TolerationSpec& toleration, const Taint& taint) {
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  return toleration.any_value || toleration.value == taint.value;
}

// Adds to a shape the nodes that a spec asks for beside its resources.
class SpecNeeds {
 public:
  SpecNeeds(const SchedTables& tables, ExtraWords& missing) : tables_(tables), missing_(missing) {}

  void AddTo(sched::TaskShape& shape, const PlacementSpec& spec) {
    if (!spec.node_type.empty()) AddAny(shape, {LabelText(kNodeTypeLabel, spec.node_type)});
    if (!spec.nodes.empty()) AddNodes(shape, spec.nodes);
    for (const std::string& name : spec.exclude_nodes) AddAny(shape, {NodeLabel("!=", name)});
    if (spec.near && spec.near->required) AddKey(shape, spec.near->label);
    if (!spec.tolerations.empty()) AddTolerations(shape, spec.tolerations);
    for (const ExtendedResource& resource : spec.extended) AddExtended(shape, resource);
  }

 private:
  // Only nodes with one of these labels.
  void AddAny(sched::TaskShape& shape, const std::vector<std::string>& labels) {
    std::vector<sched::LabelIndex> any;
    for (const std::string& label : labels) {
      auto at = tables_.labels.find(label);
      if (at == tables_.labels.end()) {
        missing_.labels.insert(label);
      } else {
        any.push_back(at->second);
      }
    }
    std::ranges::sort(any);
    if (!any.empty()) shape.labels.push_back(std::move(any));
  }
  void AddNodes(sched::TaskShape& shape, const std::vector<std::string>& names) {
    std::vector<std::string> labels;
    for (const std::string& name : names) labels.push_back(NodeLabel("=", name));
    AddAny(shape, labels);
  }
  // Only nodes that have the label at all.
  void AddKey(sched::TaskShape& shape, std::string_view key) {
    const std::string prefix = LabelText(key, "");
    std::vector<sched::LabelIndex>& any = shape.labels.emplace_back();
    for (const auto& [label, index] : tables_.labels) {
      if (label.starts_with(prefix)) any.push_back(index);
    }
    std::ranges::sort(any);
  }
  void AddTolerations(sched::TaskShape& shape, const std::vector<TolerationSpec>& list) {
    for (const Taint& taint : tables_.taints) {
      bool tolerated = std::ranges::any_of(
          list, [&](const TolerationSpec& one) { return Tolerates(one, taint); });
      if (!tolerated) continue;
      shape.tolerations.push_back(tables_.labels.at(LabelText(taint.key, taint.value)));
    }
    std::ranges::sort(shape.tolerations);
  }
  void AddExtended(sched::TaskShape& shape, const ExtendedResource& asked) {
    auto at = tables_.extended.find(asked.resource);
    if (at == tables_.extended.end()) {
      missing_.extended.insert(asked.resource);
    } else {
      shape.extended.push_back({at->second, asked.quantity});
    }
  }

  const SchedTables& tables_;
  ExtraWords& missing_;
};

sched::TaskShape ShapeOf(const PodRequest& pod) {
  sched::TaskShape shape;
  shape.cpu = pod.cpu.value > 0 ? pod.cpu : kUsualCpu;
  shape.memory = pod.memory.value > 0 ? pod.memory : kUsualMemory;
  shape.gpu_count = static_cast<std::int32_t>(std::min<std::int64_t>(pod.gpu_devices, 64));
  if (shape.gpu_count == 0) return shape;
  shape.gpu_memory_each = pod.gpu_memory.value_or(Mebibytes(0));
  if (pod.gpu.value > 0) {
    shape.gpu_each = MilliGpu(std::clamp<std::int64_t>(pod.gpu.value / pod.gpu_devices, 1, 1000));
  }
  return shape;
}

void AddTopology(const SchedTables& tables, const std::optional<NearnessSpec>& near,
                 sched::Workload& out, ExtraWords& missing) {
  if (!near) return;
  auto level = tables.levels.find(near->label);
  if (level == tables.levels.end()) {
    missing.topologies.emplace(near->label);
  } else if (level->second) {
    (near->required ? out.required_level : out.preferred_level) = *level->second;
  }
}

sched::TaskShape ShapeOf(const PodRequest& pod, const PlacementSpec& spec, SpecNeeds& needs) {
  sched::TaskShape shape = ShapeOf(pod);
  needs.AddTo(shape, spec);
  return shape;
}

sched::WorkloadKind KindOf(WorkloadType type) {
  switch (type) {
    case WorkloadType::kWorkspace:
      return sched::WorkloadKind::kInteractive;
    case WorkloadType::kTraining:
    case WorkloadType::kDistributed:
      return sched::WorkloadKind::kTraining;
    case WorkloadType::kInference:
      return sched::WorkloadKind::kInference;
  }
  return sched::WorkloadKind::kTraining;
}

constexpr std::string_view kPriorityLabel = "priority";
constexpr std::int64_t kMostLabelPriority = 1'000'000;

// How important it is among its owner's work: by the label "priority", then by its class.
std::int32_t OwnPriorityOf(const Workload& workload) {
  std::int64_t label = 0;
  for (const LabelSpec& own : workload.spec->placement->labels) {
    if (own.name != kPriorityLabel) continue;
    std::string_view text = own.value;
    if (text.starts_with('+')) text.remove_prefix(1);
    label = ParseInt(text).value_or(0);
  }
  label = std::clamp(label, -kMostLabelPriority, kMostLabelPriority);
  return static_cast<std::int32_t>(label * 1000 +
                                   std::clamp<std::int64_t>(workload.priority, 0, 999));
}

// Work that is warned before it has to go saves what it has done; others would lose it.
bool IsMovable(const Workload& workload) {
  const bool batch =
      workload.type == WorkloadType::kTraining || workload.type == WorkloadType::kDistributed;
  return batch && workload.spec->limits->warning && !workload.rules.ends_when_preempted;
}

// Whose it is and what it may expect.
void AddStanding(const SchedTables& tables, const Workload& workload, sched::Workload& out) {
  auto user = tables.users.find(Lower(workload.stamp.created_by));
  if (user != tables.users.end()) out.user = user->second;
  out.kind = KindOf(workload.type);
  out.preemptibility = workload.preemptible ? sched::Preemptibility::kPreemptible
                                            : sched::Preemptibility::kNonPreemptible;
  out.mobility = IsMovable(workload) ? sched::Mobility::kMovable : sched::Mobility::kStays;
  out.priority = static_cast<std::int32_t>(workload.priority);
  out.user_priority = OwnPriorityOf(workload);
  for (const std::string& name : workload.spec->placement->node_pools) {
    if (auto pool = tables.pools.find(name); pool != tables.pools.end()) {
      out.pools.push_back(pool->second);
    }
  }
  out.created = workload.stamp.created_at;
  out.time_limit = workload.rules.time_limit.value_or(Micros(0));
}

}  // namespace

// Creation order, from the leading bytes of the version 7 UUID.
sched::WorkloadId OrderOf(WorkloadId id) {
  std::uint64_t order = 0;
  for (int i = 0; i < 8; ++i) order = order << 8 | id.value.bytes[static_cast<std::size_t>(i)];
  return sched::WorkloadId(static_cast<std::int64_t>(order >> 1));
}

std::optional<sched::Workload> DescribeWorkload(const SchedTables& tables, const Workload& workload,
                                                const InternShape& intern, ExtraWords& missing) {
  auto queue = tables.projects.find(workload.project);
  if (queue == tables.projects.end()) return std::nullopt;
  ExtraWords lacking;
  SpecNeeds needs(tables, lacking);
  const PlacementSpec& asked = *workload.spec->placement;
  sched::Workload out{.id = OrderOf(workload.id), .name = workload.name, .queue = queue->second};
  if (workload.request.master) {
    const SpecRef& spec = workload.master_as_worker ? workload.spec : workload.master_spec;
    out.groups.push_back(
        {.shape = intern(ShapeOf(*workload.request.master, *spec->placement, needs))});
  }
  if (workload.request.pods > 0) {
    out.groups.push_back({.shape = intern(ShapeOf(workload.request, asked, needs)),
                          .count = static_cast<std::int32_t>(workload.request.pods)});
  }
  AddTopology(tables, asked.near, out, lacking);
  if (lacking.size() > 0) {
    missing.Take(lacking);
    return std::nullopt;
  }
  AddStanding(tables, workload, out);
  return out;
}

void AllowElastic(const Workload& workload, sched::Workload& row) {
  const ResourceRequest& asked = workload.request;
  const bool restarts = workload.preemptible && !workload.rules.ends_when_preempted;
  if (asked.least_pods == 0 || !restarts || row.groups.empty()) return;
  row.groups.back().count = static_cast<std::int32_t>(asked.least_pods);
  row.groups.back().max_count = static_cast<std::int32_t>(asked.most_pods);
}

}  // namespace yard::control

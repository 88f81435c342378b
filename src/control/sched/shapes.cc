#include "control/sched/shapes.h"

#include <algorithm>
#include <cstring>

#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/strings.h"

namespace yard::control {
namespace {

constexpr std::string_view kNodeTypeLabel = "run.ai/type";

std::string_view Text(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string_view{} : std::string_view(text->data(), text->size());
}

const json::array* List(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_array();
}

bool Tolerates(const json::object& toleration, const Taint& taint) {
  std::string_view key = Text(toleration, "key");
  std::string_view effect = Text(toleration, "effect");
  if (!key.empty() && key != taint.key) return false;
  if (!effect.empty() && effect != "Any" && effect != taint.effect) return false;
  return Text(toleration, "operator") == "Exists" || Text(toleration, "value") == taint.value;
}

// The label whose value the nodes of all its tasks must, or should, have in common.
struct Nearness {
  std::string_view key;  // empty: none
  bool required = false;
};
Nearness NearnessOf(const json::object& spec) {
  const json::value* value = spec.if_contains("podAffinity");
  if (value == nullptr || !value->is_object()) return {};
  const json::object& affinity = value->get_object();
  const std::string_view key = Text(affinity, "key");
  return {key, !key.empty() && Text(affinity, "type") == "Required"};
}

// Adds to a shape what only the text of a spec says.
class SpecNeeds {
 public:
  SpecNeeds(const SchedTables& tables, ExtraWords& missing) : tables_(tables), missing_(missing) {}

  void AddTo(sched::TaskShape& shape, const json::object& spec) {
    if (std::string_view type = Text(spec, "nodeType"); !type.empty()) AddLabel(shape, type);
    if (Nearness near = NearnessOf(spec); near.required) AddKey(shape, near.key);
    if (const json::array* list = List(spec, "tolerations")) AddTolerations(shape, *list);
    const json::value* compute = spec.if_contains("compute");
    if (compute == nullptr || !compute->is_object()) return;
    if (const json::array* list = List(compute->get_object(), "extendedResources")) {
      AddExtended(shape, *list);
    }
  }

 private:
  void AddLabel(sched::TaskShape& shape, std::string_view type) {
    std::string label = LabelText(kNodeTypeLabel, type);
    auto at = tables_.labels.find(label);
    if (at == tables_.labels.end()) {
      missing_.labels.insert(label);
    } else {
      shape.labels.push_back({at->second});
    }
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
  void AddTolerations(sched::TaskShape& shape, const json::array& list) {
    for (const Taint& taint : tables_.taints) {
      bool tolerated = std::ranges::any_of(list, [&](const json::value& item) {
        return item.is_object() && Tolerates(item.get_object(), taint);
      });
      if (!tolerated) continue;
      shape.tolerations.push_back(tables_.labels.at(LabelText(taint.key, taint.value)));
    }
    std::ranges::sort(shape.tolerations);
  }
  void AddExtended(sched::TaskShape& shape, const json::array& list) {
    for (const json::value& item : list) {
      if (!item.is_object()) continue;
      std::string name(Text(item.get_object(), "resource"));
      std::int64_t amount = ParseInt(Text(item.get_object(), "quantity")).value_or(1);
      auto at = tables_.extended.find(name);
      if (at == tables_.extended.end()) {
        missing_.extended.insert(name);
      } else {
        shape.extended.push_back({at->second, amount});
      }
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

// Most specs name none of these; only those that do are worth parsing.
bool NeedsParsing(const Document& spec) {
  for (std::string_view word :
       {"\"nodeType\"", "\"tolerations\"", "\"extendedResources\"", "\"podAffinity\""}) {
    if (spec.json.find(word) != std::string::npos) return true;
  }
  return false;
}

void AddTopology(const SchedTables& tables, const Document& spec, sched::Workload& out,
                 ExtraWords& missing) {
  if (!NeedsParsing(spec)) return;
  Result<json::value> parsed = ParseJson(spec.json);
  if (!parsed || !parsed->is_object()) return;
  const Nearness near = NearnessOf(parsed->get_object());
  if (near.key.empty()) return;
  auto level = tables.levels.find(near.key);
  if (level == tables.levels.end()) {
    missing.topologies.emplace(near.key);
  } else if (level->second) {
    (near.required ? out.required_level : out.preferred_level) = *level->second;
  }
}

sched::TaskShape ShapeOf(const PodRequest& pod, const Document& spec, SpecNeeds& needs) {
  sched::TaskShape shape = ShapeOf(pod);
  if (!NeedsParsing(spec)) return shape;
  Result<json::value> parsed = ParseJson(spec.json);
  if (parsed && parsed->is_object()) needs.AddTo(shape, parsed->get_object());
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
  if (workload.spec.json.find("\"priority\"") != std::string::npos) {
    Result<json::value> spec = ParseJson(workload.spec.json);
    const json::array* labels =
        spec && spec->is_object() ? List(spec->get_object(), "labels") : nullptr;
    for (const json::value& item : labels == nullptr ? json::array{} : *labels) {
      if (!item.is_object() || Text(item.get_object(), "name") != kPriorityLabel) continue;
      std::string_view text = Text(item.get_object(), "value");
      if (text.starts_with('+')) text.remove_prefix(1);
      label = ParseInt(text).value_or(0);
    }
  }
  label = std::clamp(label, -kMostLabelPriority, kMostLabelPriority);
  return static_cast<std::int32_t>(label * 1000 +
                                   std::clamp<std::int64_t>(workload.priority, 0, 999));
}

// Whose it is and what it may expect.
void AddStanding(const SchedTables& tables, const Workload& workload, sched::Workload& out) {
  auto user = tables.users.find(Lower(workload.stamp.created_by));
  if (user != tables.users.end()) out.user = user->second;
  out.kind = KindOf(workload.type);
  out.preemptibility = workload.preemptible ? sched::Preemptibility::kPreemptible
                                            : sched::Preemptibility::kNonPreemptible;
  out.priority = static_cast<std::int32_t>(workload.priority);
  out.user_priority = OwnPriorityOf(workload);
  for (const std::string& name : workload.node_pools) {
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
  sched::Workload out{.id = OrderOf(workload.id), .name = workload.name, .queue = queue->second};
  if (workload.request.master) {
    const Document& spec = workload.master_as_worker ? workload.spec : workload.master_spec;
    out.groups.push_back({.shape = intern(ShapeOf(*workload.request.master, spec, needs))});
  }
  if (workload.request.pods > 0) {
    out.groups.push_back({.shape = intern(ShapeOf(workload.request, workload.spec, needs)),
                          .count = static_cast<std::int32_t>(workload.request.pods)});
  }
  AddTopology(tables, workload.spec, out, lacking);
  if (lacking.size() > 0) {
    missing.Take(lacking);
    return std::nullopt;
  }
  AddStanding(tables, workload, out);
  return out;
}

}  // namespace yard::control

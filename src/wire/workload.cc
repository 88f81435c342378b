#include "wire/workload.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "model/workload_priority.h"

namespace yard::wire {
namespace {

constexpr std::int64_t kThirtyDaysSeconds = std::int64_t{30} * 24 * 3600;

const json::object* Object(const json::object& parent, std::string_view name) {
  const json::value* value = parent.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

std::string_view Text(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string_view{} : std::string_view(text->data(), text->size());
}

std::optional<double> Number(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

std::int64_t Whole(const json::object& object, std::string_view name, std::int64_t otherwise) {
  return std::llround(Number(object, name).value_or(static_cast<double>(otherwise)));
}

// Thousandths; something asked for is never rounded away.
std::int64_t Milli(double number) {
  return number > 0 ? std::max<std::int64_t>(1, std::llround(number * 1000)) : 0;
}

Mebibytes Memory(const json::object& object, std::string_view name) {
  return ParseMebibytes(Text(object, name)).value_or(Mebibytes{});
}

PodRequest ReadPod(const json::object& spec) {
  PodRequest pod;
  const json::object* compute = Object(spec, "compute");
  if (compute == nullptr) return pod;
  pod.cpu = MilliCpu(Milli(Number(*compute, "cpuCoreRequest").value_or(0)));
  pod.memory = Memory(*compute, "cpuMemoryRequest");
  std::string_view type = Text(*compute, "gpuRequestType");
  std::optional<double> portion = Number(*compute, "gpuPortionRequest");
  bool asks = portion.value_or(0) > 0 || type == "memory" || type == "migProfile";
  pod.gpu_devices = Whole(*compute, "gpuDevicesRequest", asks ? 1 : 0);
  if (type == "memory") {
    pod.gpu_memory = Memory(*compute, "gpuMemoryRequest");
  } else if (type != "migProfile") {
    pod.gpu = MilliGpu(Milli(portion.value_or(1)) * pod.gpu_devices);
  }
  return pod;
}

std::int64_t ReadPods(WorkloadType type, const json::object& spec) {
  switch (type) {
    case WorkloadType::kWorkspace:
      return 1;
    case WorkloadType::kTraining:
      return Whole(spec, "parallelism", 1);
    case WorkloadType::kDistributed:
      return Whole(spec, "numWorkers", 1);
    case WorkloadType::kInference: {
      const json::object* scaling = Object(spec, "autoscaling");
      if (scaling == nullptr) return 1;
      std::int64_t least = Whole(*scaling, "minReplicas", 1);
      return std::max(least, Whole(*scaling, "initialReplicas", least));
    }
  }
  return 1;
}

}  // namespace

Status ReadPriority(Workload& workload, const json::object& spec) {
  std::string_view name = Text(spec, "priorityClass");
  if (name.empty()) name = DefaultPriorityClass(workload.type);
  std::optional<std::int64_t> priority = PriorityOf(name);
  if (!priority) {
    std::vector<std::string_view> known;
    for (const PriorityClass& one : PriorityClasses()) known.push_back(one.name);
    Error error{Code::kInvalid, fmt::format("spec.priorityClass: there is no class '{}'", name),
                fmt::format("known classes are {}", fmt::join(known, ", "))};
    error.fields.push_back({"spec.priorityClass", "is not a known class"});
    return Fail(std::move(error));
  }
  workload.priority_class = name;
  workload.priority = *priority;
  std::string_view preemptibility = Text(spec, "preemptibility");
  workload.preemptible =
      preemptibility.empty() ? PreemptibleByDefault(*priority) : preemptibility == "preemptible";
  return {};
}

Result<WorkloadHead> ReadWorkloadHead(const json::object& body) {
  WorkloadHead head;
  head.name = Text(body, "name");
  std::optional<std::int64_t> project = ParseInt(Text(body, "projectId"));
  if (!project) {
    Error error{Code::kInvalid, "projectId must be a number in quotes",
                "see GET /api/v1/org-unit/projects for the ids"};
    error.fields.push_back({"projectId", "must be a number in quotes"});
    return Fail(std::move(error));
  }
  head.project = ProjectId{*project};
  head.cluster = ClusterId{ParseUuid(Text(body, "clusterId")).value_or(Uuid{})};
  auto flag = [&](std::string_view name) {
    const json::value* value = body.if_contains(name);
    return value != nullptr && value->is_bool() && value->get_bool();
  };
  head.name_is_prefix = flag("useGivenNameAsPrefix");
  head.number_if_taken = flag("numberNameIfTaken");
  head.master_as_worker = flag("masterSpecSameAsWorker");
  return head;
}

Status ReadSpec(Workload& workload, const json::object& spec, const json::object* master) {
  static_cast<PodRequest&>(workload.request) = ReadPod(spec);
  workload.request.pods = ReadPods(workload.type, spec);
  workload.request.master.reset();
  if (master != nullptr) {
    workload.request.master = ReadPod(*master);
  } else if (workload.master_as_worker) {
    workload.request.master = workload.request;
  }
  workload.image = Text(spec, "image");
  workload.framework = Text(spec, "distributedFramework");
  workload.node_pools.clear();
  if (const json::value* pools = spec.if_contains("nodePools"); pools && pools->is_array()) {
    for (const json::value& pool : pools->get_array()) {
      if (pool.is_string()) workload.node_pools.emplace_back(std::string_view(pool.get_string()));
    }
  }
  YARD_ASSIGN(workload.rules, ReadRules(spec));
  return ReadPriority(workload, spec);
}

std::int64_t AutoDeletionSeconds(const Workload& workload) {
  constexpr std::string_view kField = "autoDeletionTimeAfterCompletionSeconds";
  // Most specs do not name it; only those that do are worth parsing.
  if (workload.spec.json.find(kField) == std::string::npos) return kThirtyDaysSeconds;
  Result<json::value> spec = ParseJson(workload.spec.json);
  if (!spec || !spec->is_object()) return kThirtyDaysSeconds;
  return Whole(spec->get_object(), kField, kThirtyDaysSeconds);
}

void WriteRecord(Writer& w, const Workload& workload) {
  w.Begin();
  w("name", workload.name);
  w("requestedName", workload.requested_name);
  w("workloadId", workload.id);
  w("projectId", std::to_string(workload.project.value));
  w("departmentId", std::to_string(workload.department.value));
  w("clusterId", workload.cluster);
  w("createdBy", workload.stamp.created_by);
  w("createdAt", workload.stamp.created_at);
  w("desiredPhase", workload.desired);
  w("actualPhase", workload.phase);
  w("spec", workload.spec);
  if (workload.type == WorkloadType::kDistributed) {
    w("masterSpecSameAsWorker", workload.master_as_worker);
    if (workload.request.master && !workload.master_as_worker) {
      w("masterSpec", workload.master_spec);
    }
  }
  w.End();
}

}  // namespace yard::wire

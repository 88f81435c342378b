#include "wire/workload.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/refuse.h"
#include "base/strings.h"
#include "model/workload_priority.h"
#include "wire/fields.h"
#include "wire/spec.h"

namespace yard::wire {
namespace {

constexpr std::int64_t kMostPods = 100'000;  // as numWorkers

std::int64_t Whole(const json::object& object, std::string_view name, std::int64_t otherwise) {
  return std::llround(NumberOf(object, name).value_or(static_cast<double>(otherwise)));
}

// Thousandths; something asked for is never rounded away.
std::int64_t Milli(double number) {
  return number > 0 ? std::max<std::int64_t>(1, std::llround(number * 1000)) : 0;
}

Mebibytes Memory(const json::object& object, std::string_view name) {
  return ParseMebibytes(TextOrEmpty(object, name)).value_or(Mebibytes{});
}

PodRequest ReadPod(const json::object& spec) {
  PodRequest pod;
  const json::object& compute = ObjectOrEmpty(spec, "compute");
  pod.cpu = MilliCpu(Milli(NumberOf(compute, "cpuCoreRequest").value_or(0)));
  pod.memory = Memory(compute, "cpuMemoryRequest");
  std::string_view type = TextOrEmpty(compute, "gpuRequestType");
  std::optional<double> portion = NumberOf(compute, "gpuPortionRequest");
  bool asks = portion.value_or(0) > 0 || type == "memory" || type == "migProfile";
  pod.gpu_devices = Whole(compute, "gpuDevicesRequest", asks ? 1 : 0);
  if (type == "memory") {
    pod.gpu_memory = Memory(compute, "gpuMemoryRequest");
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
      const json::object& scaling = ObjectOrEmpty(spec, "autoscaling");
      std::int64_t least = Whole(scaling, "minReplicas", 1);
      return std::max(least, Whole(scaling, "initialReplicas", least));
    }
  }
  return 1;
}

// Distributed work may run with fewer or more workers than it names, within these bounds.
Status ReadElastic(ResourceRequest& request, WorkloadType type, const json::object& spec) {
  request.least_pods = request.most_pods = 0;
  const std::int64_t least = Whole(spec, "minReplicas", 0);
  const std::int64_t most = Whole(spec, "maxReplicas", request.pods);
  if (type != WorkloadType::kDistributed || least <= 0 || most == least) return {};
  if (most < least) {
    return RefuseFields({{"spec.minReplicas", "must not be above maxReplicas, or numWorkers"}});
  }
  request.least_pods = least;
  request.most_pods = std::min(most, kMostPods);
  return {};
}

Status ReadPriority(Workload& workload, const json::object& spec) {
  std::string_view preemptibility = TextOrEmpty(spec, "preemptibility");
  std::optional<bool> preemptible;
  if (!preemptibility.empty()) preemptible = preemptibility == "preemptible";
  return SetPriority(workload, TextOrEmpty(spec, "priorityClass"), preemptible);
}

}  // namespace

Status SetPriority(Workload& workload, std::string_view class_name,
                   std::optional<bool> preemptible) {
  if (class_name.empty()) class_name = DefaultPriorityClass(workload.type);
  std::optional<std::int64_t> priority = PriorityOf(class_name);
  if (!priority) {
    std::vector<std::string_view> known;
    for (const PriorityClass& one : PriorityClasses()) known.push_back(one.name);
    Error error{Code::kInvalid,
                fmt::format("spec.priorityClass: there is no class '{}'", class_name),
                fmt::format("known classes are {}", fmt::join(known, ", "))};
    error.fields.push_back({"spec.priorityClass", "is not a known class"});
    return Fail(std::move(error));
  }
  workload.priority_class = class_name;
  workload.priority = *priority;
  workload.preemptible = preemptible.value_or(PreemptibleByDefault(*priority));
  return {};
}

Result<WorkloadHead> ReadWorkloadHead(const json::object& body) {
  WorkloadHead head;
  head.name = TextOrEmpty(body, "name");
  std::optional<std::int64_t> project = ParseInt(TextOrEmpty(body, "projectId"));
  if (!project) {
    Error error{Code::kInvalid, "projectId must be a number in quotes",
                "see GET /api/v1/org-unit/projects for the ids"};
    error.fields.push_back({"projectId", "must be a number in quotes"});
    return Fail(std::move(error));
  }
  head.project = ProjectId{*project};
  head.cluster = ClusterId{ParseUuid(TextOrEmpty(body, "clusterId")).value_or(Uuid{})};
  head.name_is_prefix = FlagOrFalse(body, "useGivenNameAsPrefix");
  head.number_if_taken = FlagOrFalse(body, "numberNameIfTaken");
  head.master_as_worker = FlagOrFalse(body, "masterSpecSameAsWorker");
  return head;
}

Status TakeSpec(Workload& workload, SentSpec spec, std::optional<SentSpec> master) {
  static_cast<PodRequest&>(workload.request) = ReadPod(spec.value);
  workload.request.pods = ReadPods(workload.type, spec.value);
  YARD_TRY(ReadElastic(workload.request, workload.type, spec.value));
  workload.request.master.reset();
  if (master) {
    YARD_TRY(RequireWords(master->value));
    workload.request.master = ReadPod(master->value);
    workload.master_spec = ReadSpec(master->value, std::move(master->text));
  } else if (workload.master_as_worker) {
    workload.request.master = workload.request;
  }
  YARD_TRY(RequireWords(spec.value));
  YARD_ASSIGN(workload.rules, ReadRules(spec.value));
  YARD_TRY(ReadPriority(workload, spec.value));
  workload.spec = ReadSpec(spec.value, std::move(spec.text));
  return {};
}

Status TakeSpecText(Workload& workload, std::string_view spec) {
  YARD_ASSIGN(json::value value, ParseJson(spec));
  return TakeSpec(workload, {value.as_object(), std::string(spec)});
}

void WriteRecord(Writer& w, const Workload& workload) {
  w.Begin();
  w("name", workload.name);
  w("requestedName", workload.requested_name);
  w("workloadId", workload.id);
  w("projectId", std::to_string(workload.project.value));
  w("departmentId", std::to_string(workload.department.value));
  w("clusterId", workload.host());
  w("createdBy", workload.stamp.created_by);
  w("createdAt", workload.stamp.created_at);
  w("desiredPhase", workload.desired);
  w("actualPhase", workload.phase());
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

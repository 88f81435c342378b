#include "wire/spec_rules.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/refuse.h"
#include "wire/fields.h"

namespace yard::wire {
namespace {

using Issues = std::vector<FieldIssue>;

constexpr Mebibytes kLeastLog{1};
constexpr Mebibytes kMostLog{16 << 10};

struct Compute {
  const json::object& fields;
  std::string_view prefix;
  Issues& issues;

  std::optional<double> AmountOf(std::string_view key) const {
    const json::value* value = ValueIn(fields, key);
    return value == nullptr ? std::nullopt : Amount(*value);
  }
  void Add(std::string_view field, std::string problem) const {
    issues.push_back({fmt::format("{}{}", prefix, field), std::move(problem)});
  }
  void CheckLimit(std::string_view request, std::string_view limit) const {
    std::optional<double> least = AmountOf(request);
    std::optional<double> most = AmountOf(limit);
    if (least && most && *most < *least) {
      Add(limit, fmt::format("must be at least {}", request));
    }
  }
  // A part of a GPU that is none; who wants no GPU asks for no device.
  void CheckPart(std::string_view request) const {
    bool wants_none = AmountOf("gpuDevicesRequest") == 0;
    if (wants_none || AmountOf(request).value_or(1) > 0) return;
    Add(request, "must be above 0: for work without a GPU set gpuDevicesRequest to 0");
  }
};

bool IsSet(const json::object& variable, std::string_view key) {
  const json::value* value = ValueIn(variable, key);
  return value != nullptr && !(value->is_string() && value->get_string().empty());
}

void CheckVariables(const json::object& spec, std::string_view root, Issues& issues) {
  std::size_t index = 0;
  for (const json::value& item : ListOrEmpty(spec, "environmentVariables")) {
    std::string at = fmt::format("{}.environmentVariables[{}]", root, index++);
    const json::object* variable = item.if_object();
    if (variable == nullptr || !IsSet(*variable, "value")) continue;
    for (std::string_view source : {"secret", "credential"}) {
      if (!IsSet(*variable, source)) continue;
      issues.push_back({fmt::format("{}.{}", at, source), "is not possible beside a value"});
    }
  }
}

void CheckLog(const json::object& spec, std::string_view root, Issues& issues) {
  const json::value* asked = ValueIn(spec, "logLimit");
  if (asked == nullptr) return;
  std::optional<Mebibytes> size = ParseMebibytes(TextOrEmpty(spec, "logLimit"));
  if (size && *size >= kLeastLog && *size <= kMostLog) return;
  issues.push_back({fmt::format("{}.logLimit", root), "must be from 1Mi to 16Gi"});
}

// All runs start together and all must succeed: nothing counts further ones.
void CheckRuns(const json::object& spec, std::string_view root, Issues& issues) {
  std::optional<double> runs = NumberOf(spec, "completions");
  if (!runs || *runs == NumberOf(spec, "parallelism").value_or(1)) return;
  issues.push_back({fmt::format("{}.completions", root),
                    "must be the same as parallelism: all runs start together; an array runs N "
                    "of them, M at once"});
}

struct Undone {
  std::string_view value;
  std::string_view problem;
};

// Values of fields that clients of other systems may send and nothing here would act on.
void RefuseValue(const json::object& object, std::string field, const Undone& undone,
                 Issues& issues) {
  std::string_view name = std::string_view(field).substr(field.rfind('.') + 1);
  if (TextOrEmpty(object, name) != undone.value) return;
  issues.push_back({std::move(field), std::string(undone.problem)});
}

void CheckUndone(const json::object& spec, std::string_view root, Issues& issues) {
  RefuseValue(ObjectOrEmpty(spec, "security"), fmt::format("{}.security.uidGidSource", root),
              {"fromIdpToken", "is not possible: tokens carry no user id; set runAsUid"}, issues);
  RefuseValue(ObjectOrEmpty(spec, "compute"), fmt::format("{}.compute.gpuRequestType", root),
              {"migProfile",
               "is not possible as migProfile: MIG instances are not asked for by "
               "profile; ask for a GPU, a portion or memory"},
              issues);
  RefuseValue(spec, fmt::format("{}.cleanPodPolicy", root),
              {"None", "is not possible: what still runs is ended when the first task has"},
              issues);
  std::size_t index = 0;
  for (const json::value& item : ListOrEmpty(ObjectOrEmpty(spec, "storage"), "hostPath")) {
    std::string field = fmt::format("{}.storage.hostPath[{}].mountPropagation", root, index++);
    if (!item.is_object()) continue;
    RefuseValue(item.get_object(), std::move(field),
                {"HostToContainer", "is not possible: work sees the mounts it started with"},
                issues);
  }
  const bool mpi = TextOrEmpty(spec, "distributedFramework") == "MPI";
  if (mpi && NumberOf(spec, "slotsPerWorker").value_or(1) > 1) {
    issues.push_back({fmt::format("{}.slotsPerWorker", root),
                      "is not possible: no host file is written; name them to mpirun, --host "
                      "NAME-1:SLOTS"});
  }
  if (FlagOrFalse(spec, "createHomeDir") && TextOrEmpty(spec, "image").empty()) {
    issues.push_back({fmt::format("{}.createHomeDir", root),
                      "is for work in a container; a plain process has its own home folder"});
  }
}

}  // namespace

void CheckAmounts(const json::object& compute, std::string_view prefix, Issues& issues) {
  Compute rules{compute, prefix, issues};
  rules.CheckPart("gpuPortionRequest");
  rules.CheckPart("gpuMemoryRequest");
  rules.CheckLimit("gpuPortionRequest", "gpuPortionLimit");
  rules.CheckLimit("gpuMemoryRequest", "gpuMemoryLimit");
  rules.CheckLimit("cpuCoreRequest", "cpuCoreLimit");
  rules.CheckLimit("cpuMemoryRequest", "cpuMemoryLimit");
}

Status RequireSound(const json::object& spec, std::string_view root) {
  Issues issues;
  const json::object& compute = ObjectOrEmpty(spec, "compute");
  std::string prefix = fmt::format("{}.compute.", root);
  CheckAmounts(compute, prefix, issues);
  if (TextOrEmpty(compute, "gpuRequestType") == "memory" &&
      ValueIn(compute, "gpuMemoryRequest") == nullptr) {
    issues.push_back({prefix + "gpuMemoryRequest", "is required with gpuRequestType 'memory'"});
  }
  CheckVariables(spec, root, issues);
  CheckLog(spec, root, issues);
  CheckRuns(spec, root, issues);
  CheckUndone(spec, root, issues);
  return RefuseFields(std::move(issues));
}

Status RequireGpuLimit(const SpecChange& change, GpuAsk ask) {
  bool by_portion = ask == GpuAsk::kPortion;
  bool has_portion = change.gpu_portion_limit.has_value();
  bool has_memory = change.gpu_memory_limit.has_value();
  if (has_portion == by_portion && has_memory != by_portion) return {};
  std::string field = by_portion ? "gpuPortionLimit" : "gpuMemoryLimit";
  Error error{Code::kInvalid, fmt::format("{}: is needed, and nothing else", field),
              by_portion ? "it asked for a part of a GPU, for example 0.8"
                         : "it asked for GPU memory, for example 20G"};
  error.fields.push_back({std::move(field), "is needed"});
  return Fail(std::move(error));
}

}  // namespace yard::wire

#include <algorithm>

#include <fmt/format.h>

#include "control/launch/parts.h"
#include "control/track/run_links.h"

namespace yard::control {
namespace {

constexpr std::size_t kFirstMasterPort = 20000;
constexpr std::size_t kMasterPorts = 10000;

class Variables {
 public:
  explicit Variables(std::vector<engine::Variable>& all) : all_(all) {}

  // A name given again takes the newer value.
  void Set(std::string_view name, std::string value, bool secret = false) {
    auto at = std::ranges::find(all_, name, &engine::Variable::name);
    if (at == all_.end()) at = all_.insert(at, {.name = std::string(name)});
    at->value = std::move(value);
    at->secret = secret;
  }

 private:
  std::vector<engine::Variable>& all_;
};

// Where its web page is reached, and the port it serves it on. A plain process is given another
// port by its engine: it shares the machine's.
void SetTool(const LaunchParts& parts, Variables& variables) {
  variables.Set("GPUYARD_BASE_URL", fmt::format("/{}/{}/", parts.project, parts.workload.name));
  const std::vector<ToolUrl>& urls = parts.spec.reach->urls;
  if (!urls.empty()) variables.Set("GPUYARD_PORT", std::to_string(urls.front().port));
}

// A program that logs without naming a run logs to the workload's own; a new attempt goes on with
// it. MLflow's clients tag every run that they begin with what the context says.
void SetRun(const LaunchParts& parts, Variables& variables) {
  WorkloadId id = parts.workload.id;
  variables.Set("GPUYARD_RUN_ID", OwnRunOf(id));
  variables.Set("GPUYARD_PROJECT", parts.project);
  variables.Set("MLFLOW_RUN_CONTEXT",
                fmt::format(R"({{"{}":"{}"}})", kWorkloadTag, FormatUuid(id.value)));
}

void SetOwn(const LaunchParts& parts, Variables& variables) {
  const Workload& workload = parts.workload;
  variables.Set("JOB_NAME", workload.name);
  variables.Set("JOB_UUID", FormatUuid(workload.id.value));
  variables.Set("RUNAI_JOB_NAME", workload.name);
  variables.Set("RUNAI_PROJECT", parts.project);
  variables.Set(
      "RUNAI_NUM_OF_GPUS",
      FormatMilli(parts.place.each.value * static_cast<std::int64_t>(parts.place.gpus.size())));
  variables.Set("NODE_NAME", parts.place.node);
  SetTool(parts, variables);
  variables.Set("GPUYARD_ATTEMPT", std::to_string(parts.attempt.number));
  std::string last;
  for (const Ptr<Attempt>& attempt : parts.state.AttemptsOf(workload.id)) {
    if (attempt->number == parts.attempt.number - 1 && attempt->end) {
      last = Name(attempt->end->cause);
    }
  }
  variables.Set("GPUYARD_LAST_END", last);
  if (!workload.rules.array) return;
  variables.Set("GPUYARD_ARRAY_ID", workload.rules.array->id);
  variables.Set("GPUYARD_ARRAY_INDEX", std::to_string(workload.rules.array->index));
  variables.Set("GPUYARD_ARRAY_SIZE", std::to_string(workload.rules.array->size));
}

// The names that scripts written for Slurm read. SLURM_NTASKS and its like are left out: some
// frameworks take them as a sign to start as Slurm does.
void SetSlurm(const LaunchParts& parts, Variables& variables) {
  const Workload& workload = parts.workload;
  variables.Set("SLURM_JOB_ID", FormatUuid(workload.id.value));
  variables.Set("SLURM_JOB_NAME", workload.name);
  if (!parts.spec.working_dir.empty()) variables.Set("SLURM_SUBMIT_DIR", parts.spec.working_dir);
  if (std::int64_t milli = workload.request.cpu.value; milli > 0)
    variables.Set("SLURM_CPUS_PER_TASK", std::to_string((milli + 999) / 1000));
  if (!workload.rules.array) return;
  variables.Set("SLURM_ARRAY_JOB_ID", workload.rules.array->id);
  variables.Set("SLURM_ARRAY_TASK_ID", std::to_string(workload.rules.array->index));
}

// What the ranks of distributed work find each other by.
void SetGang(const LaunchParts& parts, Variables& variables) {
  const std::vector<TaskPlace>& places = parts.attempt.places;
  auto rank = static_cast<std::size_t>(parts.rank);
  bool one_node = true;
  std::size_t local = 0;
  for (std::size_t other = 0; other < places.size(); ++other) {
    one_node = one_node && places[other].node == places[0].node;
    local += other < rank && places[other].node == parts.place.node ? 1 : 0;
  }
  // Ranks in containers on one node share a network in which each has a name.
  bool named = one_node && !parts.spec.image.empty() && !parts.spec.security->host_network;
  std::string here = named ? engine::HostName(parts.workload.name, 0) : "127.0.0.1";
  std::size_t port = kFirstMasterPort + std::hash<AttemptId>{}(parts.attempt.id) % kMasterPorts;
  variables.Set("RANK", std::to_string(parts.rank));
  variables.Set("LOCAL_RANK", std::to_string(local));
  variables.Set("WORLD_SIZE", std::to_string(places.size()));
  variables.Set("MASTER_ADDR", one_node ? std::move(here) : places[0].node);
  variables.Set("MASTER_PORT", std::to_string(port));
}

Result<std::string> FieldValue(const LaunchParts& parts, std::string_view path) {
  if (path == "metadata.name") return parts.workload.name;
  if (path == "metadata.uid") return FormatUuid(parts.workload.id.value);
  if (path == "metadata.namespace") return "runai-" + parts.project;
  if (path == "spec.nodeName") return parts.place.node;
  return Fail(Code::kUnsupported, fmt::format("the field '{}' is not known here", path));
}

Result<std::string> ValueOf(const LaunchParts& parts, const VariableSpec& variable) {
  switch (variable.source) {
    case VariableSource::kSecret:
    case VariableSource::kConfigMap:
    case VariableSource::kCredential:
      return parts.secrets.Value(variable.value, variable.key);
    case VariableSource::kPodField:
      return FieldValue(parts, variable.value);
    case VariableSource::kNone:
    case VariableSource::kValue:
      break;
  }
  return variable.value;
}

Status SetFromSpec(const LaunchParts& parts, const VariableSpec& variable, Variables& variables) {
  if (variable.name.empty()) return {};
  YARD_ASSIGN(std::string value, ValueOf(parts, variable));
  bool secret =
      variable.source == VariableSource::kSecret || variable.source == VariableSource::kCredential;
  variables.Set(variable.name, std::move(value), secret);
  return {};
}

}  // namespace

Status AddVariables(const LaunchParts& parts, engine::TaskSpec& task) {
  Variables variables(task.variables);
  SetOwn(parts, variables);
  SetRun(parts, variables);
  SetSlurm(parts, variables);
  if (parts.attempt.places.size() > 1 || parts.workload.type == WorkloadType::kDistributed) {
    SetGang(parts, variables);
  }
  for (const VariableSpec& variable : parts.spec.variables) {
    YARD_TRY(SetFromSpec(parts, variable, variables));
  }
  return {};
}

}  // namespace yard::control

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "wire/fields.h"
#include "wire/spec.h"
#include "wire/workload.h"

namespace yard::wire {
namespace {

double Thousandths(std::int64_t milli) {
  return static_cast<double>(milli) / 1000;
}

void WriteCores(Writer& w, std::string_view name, std::int64_t milli) {
  w.Key(name);
  w.Begin();
  w("request", Thousandths(milli));
  w.End();
}

void WriteBytes(Writer& w, std::string_view name, Mebibytes amount) {
  w.Key(name);
  w.Begin();
  w("request", fmt::format("{}Mi", amount.value));
  w.End();
}

void WriteRequested(Writer& w, std::string_view name, const PodRequest& request) {
  w.Key(name);
  w.Begin();
  if (request.gpu_devices > 0 && request.gpu_memory) {
    w("gpuRequestType", "memory");
    WriteBytes(w, "gpuMemory", *request.gpu_memory * request.gpu_devices);
  } else if (request.gpu_devices > 0) {
    w("gpuRequestType", request.gpu.value > 0 ? "portion" : "migProfile");
    WriteCores(w, "gpu", request.gpu.value);
  }
  WriteCores(w, "cpu", request.cpu.value);
  WriteBytes(w, "cpuMemory", request.memory);
  w.End();
}

// The reason of the phase: of waiting work the derived one, of all other the recorded one.
struct PhaseWords {
  std::string_view reason;
  std::string message;
};
PhaseWords WordsOf(const WorkloadView& view) {
  if (view.waits != nullptr) return {view.waits->reason, TextOf(*view.waits)};
  return {view.workload->phase_reason, view.workload->phase_message};
}

// The contract names two reasons; every reason stands in the condition.
bool IsListed(std::string_view reason) {
  return reason == "NonPreemptibleOverQuota" || reason == "OverLimit";
}

// The condition that holds now: the phase, since when and why.
void WriteConditions(Writer& w, const Workload& workload, const PhaseWords& words) {
  w.Key("conditions");
  w.BeginList();
  w.Item();
  w.Begin();
  w("type", workload.phase());
  w("status", "True");
  w("reason", words.reason);
  w("message", words.message);
  w("lastTransitionTime", workload.phase_since);
  w.End();
  w.EndList();
}

void WritePhase(Writer& w, const WorkloadView& view) {
  const Workload& workload = *view.workload;
  const PhaseWords words = WordsOf(view);
  w("phase", workload.phase());
  w("phaseMessage", words.message);
  w.OrNull("phaseReason", IsListed(words.reason) ? std::optional(words.reason) : std::nullopt);
  w("phaseUpdatedAt", workload.phase_since);
  w("k8sPhase", workload.phase());
  w("k8sPhaseUpdatedAt", workload.phase_since);
  WriteConditions(w, workload, words);
}

// Those of the reasons that bind for which the contract has a name, pool by pool.
void WritePending(Writer& w, const WaitNote* waits) {
  w.Key("pendingSchedulingMessages");
  w.BeginList();
  for (const WaitCause& cause : waits == nullptr ? std::vector<WaitCause>{} : waits->causes) {
    if (!IsListed(cause.reason)) continue;
    w.Item();
    w.Begin();
    w("nodePool", cause.pool);
    w("phaseReason", cause.reason);
    w("reason", cause.message);
    w.OrNull("orgType", cause.unit.empty() ? std::nullopt : std::optional(cause.unit));
    w("userMessage", TextOf(*waits));
    w.End();
  }
  w.EndList();
}

// Plain values only: those of a secret are not known here and would not be shown.
void WriteVariables(Writer& w, const WorkloadSpec& spec) {
  if (spec.variables.empty()) return;
  std::map<std::string, std::string> values;
  for (const VariableSpec& variable : spec.variables) {
    if (variable.source == VariableSource::kValue) values[variable.name] = variable.value;
  }
  w("environmentVariables", values);
}

void WriteContainer(Writer& w, const WorkloadSpec& spec) {
  w.Key("images");
  w.BeginList();
  if (!spec.image.empty()) {
    w.Item();
    w.Value(spec.image);
  }
  w.EndList();
  if (!spec.command.empty()) w("command", JoinWords(spec.command));
  if (!spec.args.empty()) w("arguments", JoinWords(spec.args));
  WriteVariables(w, spec);
}

// Those of an attempt that holds its places, each once.
std::vector<std::string> HeldNodes(const Attempt* attempt) {
  std::vector<std::string> nodes;
  if (attempt == nullptr || attempt->end) return nodes;
  for (const TaskPlace& place : attempt->places) {
    if (std::ranges::find(nodes, place.node) == nodes.end()) nodes.push_back(place.node);
  }
  return nodes;
}

bool Runs(const Attempt* attempt) {
  return attempt != nullptr && attempt->started_at && !attempt->end && HoldsGpus(*attempt);
}

// The limits in force, which a project or an extension may have moved away from the spec's.
void WriteLimits(Writer& w, const Workload& workload) {
  const RunRules& rules = workload.rules;
  if (rules.time_limit) w("timeLimitSeconds", rules.time_limit->value / 1'000'000);
  if (rules.stop_at) w("stopAt", *rules.stop_at);
  if (workload.spec->limits->begin_at) w("beginAt", *workload.spec->limits->begin_at);
}

void WriteArray(Writer& w, const std::optional<ArrayItem>& item) {
  if (!item) return;
  w.Key("array");
  w.Begin();
  w("id", item->id);
  w("index", item->index);
  w("size", item->size);
  w.End();
}

void WriteAllocated(Writer& w, const WorkloadView& view) {
  bool held = view.attempt != nullptr && !view.attempt->end;
  PodRequest total = held ? TotalOf(view.workload->request) : PodRequest{};
  if (held && !HoldsGpus(*view.attempt)) total.gpu = MilliGpu(0);
  w.Key("allocatedResources");
  w.Begin();
  w("gpu", Thousandths(total.gpu.value));
  w("cpu", Thousandths(total.cpu.value));
  w("cpuMemory", total.memory.value == 0 ? "0" : fmt::format("{}Mi", total.memory.value));
  if (view.gpu_memory.value > 0) w("gpuMemory", fmt::format("{}Mi", view.gpu_memory.value));
  w.End();
}

void WritePods(Writer& w, const WorkloadView& view) {
  const Workload& workload = *view.workload;
  w("runningPods", Runs(view.attempt) ? static_cast<std::int64_t>(view.attempt->places.size()) : 0);
  w("nodes", HeldNodes(view.attempt));
  w.Key("requestedPods");
  w.Begin();
  w("number", PodsOf(workload.request));
  if (workload.type == WorkloadType::kTraining) w("parallelism", workload.request.pods);
  w.End();
  w("requestedNodePools", workload.spec->placement->node_pools);
  std::vector<std::string_view> pools;
  if (!view.pool.empty()) pools.push_back(view.pool);
  w("currentNodePools", pools);
}

void WriteConnection(Writer& w, const ToolUrl& tool, const std::string& url) {
  const bool named = !tool.users.empty() || !tool.groups.empty();
  w.Begin();
  w("name", tool.name.empty() ? "tool" : tool.name);
  w("toolType", tool.kind.empty() ? "custom" : tool.kind);
  w("connectionType", "ExternalUrl");
  w("url", url);
  if (tool.open_to_all || named)
    w("authorizationType", tool.open_to_all ? "authenticatedUsers" : "authorizedUsersOrGroups");
  w("authorizedUsers", tool.users);
  w("authorizedGroups", tool.groups);
  w("containerPort", tool.port);
  w.End();
}

// The address of its web page. One page of a workload is shown.
void WriteTools(Writer& w, const WorkloadView& view) {
  const ReachSpec& reach = *view.workload->spec->reach;
  const ToolUrl* tool = reach.serving ? &*reach.serving : nullptr;
  if (!reach.urls.empty()) tool = &reach.urls.front();
  if (tool == nullptr || view.tools.empty()) return;
  const std::string url =
      fmt::format("{}/{}/{}/", view.tools, view.project_name, view.workload->name);
  w("urls", std::vector<std::string>{url});
  w.Key("externalConnections");
  w.BeginList();
  w.Item();
  WriteConnection(w, *tool, url);
  w.EndList();
}

// What it was made from. Few specs name assets, so the text is looked at before it is parsed.
void WriteAssets(Writer& w, const Workload& workload) {
  const std::string& text = workload.spec->document.json;
  if (!text.contains(R"("assets":)")) return;
  const Result<json::value> spec = ParseJson(text);
  if (!spec || !spec->is_object()) return;
  const json::object& assets = ObjectOrEmpty(spec->get_object(), "assets");
  w.Key("environments");
  w.BeginList();
  if (const std::string_view id = TextOrEmpty(assets, "environmentId"); !id.empty()) {
    w.Item();
    w.Begin();
    w("id", id);
    w("name", TextOrEmpty(assets, "environment"));
    w.End();
  }
  w.EndList();
  w.Key("datasources");
  w.BeginList();
  EachObject(assets, "datasources", [&w](const json::object& source) {
    w.Item();
    w.Begin();
    for (const char* field : {"type", "name", "id"}) w(field, TextOrEmpty(source, field));
    w.End();
  });
  w.EndList();
}

void WriteOrganisation(Writer& w, const WorkloadView& view) {
  const Workload& workload = *view.workload;
  w("tenantId", kTenantId);
  w("clusterId", workload.host());
  if (!view.cluster_name.empty()) w("clusterName", view.cluster_name);
  w("projectId", std::to_string(workload.project.value));
  w("projectName", view.project_name);
  w("departmentId", std::to_string(workload.department.value));
  w("departmentName", view.department_name);
  w("namespace", view.space);
}

void WriteTimes(Writer& w, const Workload& workload) {
  w("createdAt", workload.stamp.created_at);
  w("updatedAt", workload.stamp.updated_at);
  w.OrNull("completedAt", workload.completed_at);
  w.OrNull("deletedAt", workload.deleted_at);
}

void WriteSaved(Writer& w, const Workload& workload) {
  if (workload.saved.empty()) return;
  w.Key("savedOutputs");
  w.BeginList();
  for (const SavedOutput& one : workload.saved) {
    w.Item();
    w.Begin();
    w("attempt", one.attempt);
    w("name", one.name);
    w("tag", one.tag);
    if (!one.version.empty()) w("version", one.version);
    w("files", one.files);
    w("bytes", one.bytes);
    if (!one.problem.empty()) w("problem", one.problem);
    w("at", one.at);
    w.End();
  }
  w.EndList();
}

void WriteActions(Writer& w, const Workload& workload) {
  w.Key("actionsSupport");
  w.Begin();
  w("delete", !workload.deleted_at);
  w("suspend", CanSuspend(workload));
  w.End();
}

// Without the braces.
void WriteMembers(Writer& w, const WorkloadView& view) {
  const Workload& workload = *view.workload;
  w("id", workload.id);
  w("name", workload.name);
  w("type", workload.type);
  WriteOrganisation(w, view);
  w("submittedBy", workload.stamp.created_by);
  // The contract's words.
  w("source", workload.by_cli.value_or(false) ? "CLI" : "Control-plane");
  WriteTimes(w, workload);
  WritePhase(w, view);
  w("priority", workload.priority);
  w("priorityClassName", workload.priority_class);
  w("preemptible", workload.preemptible);
  WritePods(w, view);
  WriteArray(w, workload.rules.array);
  WriteLimits(w, workload);
  WriteRequested(w, "workloadRequestedResources", TotalOf(workload.request));
  WriteRequested(w, "podsRequestedResources", workload.request);
  WriteAllocated(w, view);
  WriteActions(w, workload);
  WriteSaved(w, workload);
  WriteContainer(w, *workload.spec);
  WriteTools(w, view);
  WriteAssets(w, workload);
  if (workload.spec->framework != Framework::kNone) {
    w("distributedFramework", NameOf(workload.spec->framework));
  }
  w.Key("idleGpus");
  w.Null();
  w.Key("idleAllocatedGpus");
  w.Null();
}

}  // namespace

void WriteListing(Writer& w, const WorkloadView& view) {
  w.Begin();
  WriteMembers(w, view);
  w.End();
}

void WriteDetails(Writer& w, const WorkloadView& view, Entry entry) {
  w.Begin();
  WriteMembers(w, view);
  WritePending(w, view.waits);
  w("mayEnter", entry == Entry::kOpen);
  w.End();
}

void WriteEvent(Writer& w, const WorkloadEvent& event, const WorkloadView& view) {
  w.Begin();
  w("createdAt", event.at);
  w("id", event.id);
  w("type", event.type);
  w("clusterId", view.workload->host());
  w("message", event.message);
  w("reason", event.reason);
  w("source", event.source);
  w.Key("involvedObject");
  w.Begin();
  w("uid", view.workload->id);
  w("kind", view.workload->type);
  w("name", view.workload->name);
  w("namespace", view.space);
  w.End();
  w.End();
}

void WriteHistoryRecord(Writer& w, const WorkloadEvent& event, const WorkloadView& view) {
  bool phase = event.source == kPhaseSource;
  w.Begin();
  w.Key("meta");
  w.Begin();
  w("creationTimestamp", event.at);
  w("type", phase ? "PhaseUpdate" : "Event");
  w.End();
  w.Key("spec");
  w.Begin();
  if (phase) {
    w.Key("phaseUpdate");
    w.Begin();
    w("phase", event.reason);
    w("phaseMessage", event.message);
    w.End();
  } else {
    w.Key("event");
    WriteEvent(w, event, view);
  }
  w.End();
  w.End();
}

}  // namespace yard::wire

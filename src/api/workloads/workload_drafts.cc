#include "api/workloads/workload_drafts.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/workloads/asset_parts.h"
#include "api/workloads/data_pins.h"
#include "control/commands/workloads.h"
#include "control/policy/comply.h"
#include "wire/fields.h"
#include "wire/workload.h"

namespace yard::api {
namespace {

const json::object* Object(const json::object& body, std::string_view name) {
  const json::value* value = body.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

// Before policies are applied, so that nobody learns those of a project out of reach. One that is
// not there is refused alike, so that nobody can count them.
Status RequireCreate(Call& call, WorkloadType type, ProjectId id) {
  ScopePath where{.project = id};
  if (Ptr<Project> project = call.state().Find<Project>(id)) where = call.state().PathOf(*project);
  if (call.route().need.kind == Need::Kind::kByKind) return call.RequireKind(type, where);
  return call.Require(where);
}

// A limit that was asked for and is not given.
void WarnOfTimeLimit(Call& call, const Workload& workload) {
  if (!workload.rules.time_limit) return;
  Ptr<Project> project = call.state().Find<Project>(workload.project);
  if (!project) return;
  Workload limited = workload;
  control::TakeTimeLimits(call.state(), *project, limited);
  const std::int64_t asked = workload.rules.time_limit->value / 1'000'000;
  const std::int64_t given = limited.rules.time_limit->value / 1'000'000;
  if (given >= asked) return;
  call.Warn(fmt::format("project '{}' lets work run for {} s: the time limit is {} s, not {} s",
                        project->name, given, given, asked));
}

// A class that takes the right to be preempted away, which nobody asked for.
void WarnOfPriority(Call& call, const Workload& workload, const json::object& spec) {
  const bool said = spec.contains("preemptibility") || !spec.contains("priorityClass");
  const bool trains =
      workload.type == WorkloadType::kTraining || workload.type == WorkloadType::kDistributed;
  if (said || workload.preemptible || !trains) return;
  call.Warn(
      fmt::format("work of priority '{}' is not preemptible, so it must fit into the "
                  "project's quota; --preemptible (preemptibility) lets it go over",
                  workload.priority_class));
}

// Our own command line says this before it sends.
void WarnOfPorts(Call& call, const Workload& workload, const json::object& spec) {
  if (workload.by_cli) return;
  for (const json::value& port : wire::ListOrEmpty(spec, "ports")) {
    const json::object* item = port.if_object();
    const std::string_view type = item == nullptr ? "" : wire::TextOrEmpty(*item, "serviceType");
    if (type != "NodePort" && type != "LoadBalancer") continue;
    call.Warn(
        fmt::format("{} opens no port of the machine: reach it by `gpuyard forward`, or name "
                    "the port in exposedUrls",
                    type));
    return;
  }
}

void WarnOfAddresses(Call& call, const json::object& spec) {
  for (const json::value& tool : wire::ListOrEmpty(spec, "exposedUrls")) {
    const json::object* item = tool.if_object();
    if (item == nullptr || wire::TextOrEmpty(*item, "url").empty()) continue;
    call.Warn(
        "the address of a tool is /PROJECT/NAME/ of this server: exposedUrls.url is not used");
    return;
  }
}

// A volume is a folder; nobody counts what is put there.
void WarnOfVolumes(Call& call, const json::object& spec) {
  for (const json::value& claim : wire::ListOrEmpty(wire::ObjectOrEmpty(spec, "storage"), "pvc")) {
    const json::object* item = claim.if_object();
    if (item == nullptr || wire::ObjectOrEmpty(*item, "claimInfo").empty()) continue;
    call.Warn(
        "a new volume is a folder of the machine: its size, class and access modes are only "
        "noted");
    return;
  }
}

void WarnOfChanges(Call& call, const Workload& workload, const json::object& spec) {
  WarnOfTimeLimit(call, workload);
  WarnOfPriority(call, workload, spec);
  WarnOfPorts(call, workload, spec);
  WarnOfAddresses(call, spec);
  WarnOfVolumes(call, spec);
}

}  // namespace

Result<control::WorkloadDraft> ReadDraft(Call& call, WorkloadType type, const json::object& body) {
  YARD_ASSIGN(wire::WorkloadHead head, wire::ReadWorkloadHead(body));
  YARD_TRY(RequireCreate(call, type, head.project));
  control::WorkloadDraft draft;
  if (head.number_if_taken) draft.naming = control::Naming::kNumber;
  if (head.name_is_prefix) draft.naming = control::Naming::kSuffix;
  Workload& workload = draft.workload;
  workload.type = type;
  workload.name = std::move(head.name);
  workload.project = head.project;
  workload.cluster = head.cluster;
  workload.master_as_worker = head.master_as_worker;
  if (call.request().Find("user-agent").value_or("").starts_with("gpuyard/")) {
    workload.by_cli = true;
  }
  const json::object* master = head.master_as_worker ? nullptr : Object(body, "masterSpec");
  const json::object* spec = Object(body, "spec");
  YARD_ASSIGN(auto filled, WithAssets(call, head.project, spec));
  YARD_ASSIGN(auto filled_master, WithAssets(call, head.project, master));
  if (filled) spec = &*filled;
  if (filled_master) master = &*filled_master;
  YARD_ASSIGN(auto pinned, WithDataVersions(call, head.project, spec));
  YARD_ASSIGN(auto pinned_master, WithDataVersions(call, head.project, master));
  YARD_TRY(control::Comply(call.state(), workload,
                           {pinned ? &*pinned : spec, pinned_master ? &*pinned_master : master}));
  if (spec != nullptr) WarnOfChanges(call, workload, *spec);
  return draft;
}

}  // namespace yard::api

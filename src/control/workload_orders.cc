#include "control/workload_orders.h"

#include <utility>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "control/attempts.h"
#include "control/compute_rules.h"
#include "control/json_fields.h"
#include "control/policy.h"
#include "control/workloads.h"
#include "wire/workload.h"

namespace yard::control {
namespace {

Result<Workload> Allowed(Txn& txn, WorkloadId id, Action action) {
  YARD_ASSIGN(Ptr<Workload> workload, FindWorkload(txn.state(), id));
  YARD_TRY(txn.Require(ResourceOf(workload->type), action, txn.state().PathOf(*workload)));
  return *workload;
}

std::unexpected<Error> Refuse(const Workload& workload, std::string_view what,
                              std::string_view next) {
  return Fail(Code::kPrecondition,
              fmt::format("workload '{}' is {} and cannot be {}", workload.name,
                          Name(workload.phase), what),
              std::string(next));
}

Ptr<Workload> Put(Txn& txn, Workload workload, std::string reason, std::string message) {
  txn.Touch(workload.stamp);
  txn.Emit({.id = txn.NewUuid(),
            .workload = workload.id,
            .at = txn.now(),
            .type = "Normal",
            .reason = std::move(reason),
            .message = std::move(message),
            .source = "gpuyard"});
  return txn.Put(std::move(workload));
}

}  // namespace

Result<Ptr<Workload>> HoldWorkload(Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  if (!Waits(txn.state(), workload)) {
    return Refuse(workload, "held", "only work that waits can be held; suspend it instead");
  }
  if (workload.rules.hold) return txn.state().Find<Workload>(id);
  workload.rules.hold = true;
  return Put(txn, std::move(workload), "Held", fmt::format("Held by {}.", txn.who().id));
}

Result<Ptr<Workload>> ReleaseWorkload(Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  if (!workload.rules.hold) return txn.state().Find<Workload>(id);
  workload.rules.hold = false;
  workload.phase_reason = "Queued";
  workload.phase_message = "Waits for the scheduler.";
  return Put(txn, std::move(workload), "Released", fmt::format("Released by {}.", txn.who().id));
}

Result<Ptr<Workload>> PrioritizeWorkload(Txn& txn, WorkloadId id, const std::string& name) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  if (workload.deleted_at || HasEnded(workload)) {
    return Refuse(workload, "given another priority", "submit it again with the one you want");
  }
  YARD_ASSIGN(json::value spec, ParseJson(workload.spec.json));
  spec.as_object()["priorityClass"] = name;
  spec.as_object()["preemptibility"] = workload.preemptible ? "preemptible" : "non-preemptible";
  Submission submission{PolicyTypeOf(workload.type), workload.project};
  YARD_ASSIGN(workload.spec.json, ApplyPolicy(txn.state(), submission, json::serialize(spec)));
  YARD_TRY(wire::ReadPriority(workload, spec.as_object()));
  return Put(txn, std::move(workload), "Prioritized",
             fmt::format("Given the priority {} by {}.", name, txn.who().id));
}

Result<Ptr<Workload>> ExtendWorkload(Txn& txn, WorkloadId id, Micros by) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  if (workload.deleted_at || HasEnded(workload)) {
    return Refuse(workload, "given more time", "submit it again with a longer time limit");
  }
  if (by.value <= 0) return Fail(Code::kInvalid, "seconds: must be positive");
  RunRules& rules = workload.rules;
  if (!rules.time_limit && !rules.stop_at) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' has no time limit to extend", workload.name));
  }
  if (rules.time_limit) rules.time_limit = *rules.time_limit + by;
  if (rules.stop_at) rules.stop_at = *rules.stop_at + by;
  return Put(txn, std::move(workload), "Extended",
             fmt::format("Given {} s more by {}.", by.value / 1'000'000, txn.who().id));
}

Result<Ptr<Workload>> LimitGpuMemory(Txn& txn, WorkloadId id, const GpuLimitOrder& order) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  if (workload.deleted_at || HasEnded(workload)) {
    return Refuse(workload, "given another limit", "submit it again with the one you want");
  }
  YARD_ASSIGN(json::value spec, ParseJson(workload.spec.json));
  json::object& compute = spec.as_object()["compute"].is_object()
                              ? spec.as_object()["compute"].get_object()
                              : spec.as_object()["compute"].emplace_object();
  std::string_view type = TextOrEmpty(compute, "gpuRequestType");
  if (type != "portion" && type != "memory") {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' has no part of a GPU to limit", workload.name));
  }
  bool by_portion = type == "portion";
  std::string_view field = by_portion ? "gpuPortionLimit" : "gpuMemoryLimit";
  if (by_portion ? !order.portion || order.memory : !order.memory || order.portion) {
    Error error{Code::kInvalid, fmt::format("{}: is needed, and nothing else", field),
                by_portion ? "it asked for a part of a GPU, for example 0.8"
                           : "it asked for GPU memory, for example 20G"};
    error.fields.push_back({std::string(field), "is needed"});
    return Fail(std::move(error));
  }
  by_portion ? compute[field] = *order.portion : compute[field] = *order.memory;
  YARD_TRY(RequireSound(spec.as_object(), "spec"));
  Submission submission{PolicyTypeOf(workload.type), workload.project};
  YARD_ASSIGN(workload.spec.json, ApplyPolicy(txn.state(), submission, json::serialize(spec)));
  std::string shown = by_portion ? fmt::format("{} of a GPU", *order.portion) : *order.memory;
  return Put(txn, std::move(workload), "GpuLimitChanged",
             fmt::format("Its GPU memory may grow to {} while there is room; set by {}.", shown,
                         txn.who().id));
}

Result<Ptr<Workload>> RerunWorkload(Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Workload old, Allowed(txn, id, Action::kRead));
  if (!HasEnded(old) && !old.deleted_at) {
    return Refuse(old, "run once more", "wait until it has ended, or submit another one");
  }
  WorkloadDraft draft;
  Workload& again = draft.workload;
  again.project = old.project;
  again.cluster = old.cluster;
  again.type = old.type;
  again.name = old.requested_name.empty() ? old.name : old.requested_name;
  again.spec = old.spec;
  again.master_spec = old.master_spec;
  again.framework = old.framework;
  again.master_as_worker = old.master_as_worker;
  again.image = old.image;
  again.request = old.request;
  again.priority_class = old.priority_class;
  again.priority = old.priority;
  again.preemptible = old.preemptible;
  again.node_pools = old.node_pools;
  again.rules = old.rules;
  again.rules.after.clear();  // it has had its turn
  again.rules.hold = false;
  again.rules.stop_at.reset();
  // Items of an array are numbered already.
  bool taken = txn.state().WorkloadByName(again.project, again.name) != nullptr;
  draft.naming = again.rules.array && taken ? Naming::kSuffix : Naming::kNumber;
  return CreateWorkload(txn, std::move(draft));
}

}  // namespace yard::control

#include "control/commands/workload_orders.h"

#include <utility>

#include <fmt/format.h>

#include "control/commands/org.h"
#include "control/commands/workloads.h"
#include "control/dispatch/attempts.h"
#include "control/dispatch/parking.h"
#include "control/policy/comply.h"
#include "control/policy/own_work.h"
#include "wire/spec_rules.h"
#include "wire/workload.h"

namespace yard::control {
namespace {

Result<Workload> Allowed(Txn& txn, WorkloadId id, Action action) {
  txn.Recall(id);
  YARD_ASSIGN(Ptr<Workload> workload, FindWorkload(txn.state(), id));
  YARD_TRY(txn.Require(ResourceOf(workload->type), action, txn.state().PathOf(*workload)));
  if (action != Action::kRead)
    YARD_TRY(RequireTouch(txn.state(), txn.who(), *workload, Touch::kOrder));
  return *workload;
}

std::unexpected<Error> Refuse(const Workload& workload, std::string_view what,
                              std::string_view next) {
  return Fail(Code::kPrecondition,
              fmt::format("workload '{}' is {} and cannot be {}", workload.name,
                          Name(workload.phase()), what),
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

// More time is asked for like time is at submission: within the limits and policies of today.
Status RequireTime(const State& state, const Workload& workload, Micros limit) {
  Workload wanted = workload;
  wanted.rules.time_limit = limit;
  YARD_ASSIGN(Ptr<Project> project, GetProject(state, workload.project));
  TakeTimeLimits(state, *project, wanted);
  if (*wanted.rules.time_limit < limit) {
    return Fail(
        Code::kPrecondition,
        fmt::format("workload '{}' would run for {} s, and its project allows {} s", workload.name,
                    limit.value / 1'000'000, wanted.rules.time_limit->value / 1'000'000),
        "ask for less, or ask an administrator for a longer limit");
  }
  return {};
}

// Why work cannot leave its GPUs, and what to do instead.
struct Obstacle {
  std::string_view reason;
  std::string_view instead = "suspend it without keeping its memory";
};
std::optional<Obstacle> ParkObstacle(const Workload& workload, const Attempt* open) {
  if (workload.type == WorkloadType::kInference) {
    return Obstacle{"a service is not suspended", "delete it, and submit it again later"};
  }
  if (open != nullptr && open->residence == Residence::kReturning && !open->stop) {
    return Obstacle{"it is coming back to them", "wait until it is Running"};
  }
  if (workload.phase() != Phase::kRunning || open == nullptr) {
    return Obstacle{"only work that runs can be"};
  }
  if (open->stop) return Obstacle{"it is being stopped", "wait until it is Stopped"};
  if (open->places.size() != 1) return Obstacle{"its tasks could not leave at one moment"};
  if (open->places[0].gpus.empty()) return Obstacle{"it has none"};
  return std::nullopt;
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

Status HoldQueue(Txn& txn) {
  std::vector<WorkloadId> open;
  txn.state().Of<Workload>().Each([&](const Workload& workload) {
    if (!HasEnded(workload.life) && !workload.deleted_at && !workload.rules.hold)
      open.push_back(workload.id);
  });
  for (WorkloadId id : open) {
    Workload workload = *txn.state().Find<Workload>(id);
    workload.rules.hold = true;
    Put(txn, std::move(workload), "Held", "Held, since it comes from a backup.");
  }
  return {};
}

Result<Ptr<Workload>> ReleaseWorkload(Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  if (!Waits(txn.state(), workload)) {
    return Refuse(workload, "released", "only work that waits can be released");
  }
  if (!workload.rules.hold) return txn.state().Find<Workload>(id);
  workload.rules.hold = false;
  workload.phase_reason = "Queued";
  workload.phase_message = "Waits for the scheduler.";
  return Put(txn, std::move(workload), "Released", fmt::format("Released by {}.", txn.who().id));
}

Result<Ptr<Workload>> PrioritizeWorkload(Txn& txn, WorkloadId id, const std::string& name) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  if (workload.deleted_at || HasEnded(workload.life)) {
    return Refuse(workload, "given another priority", "submit it again with the one you want");
  }
  YARD_TRY(ChangeSpec(txn.state(), workload,
                      {.priority_class = name, .preemptible = workload.preemptible}));
  YARD_TRY(wire::SetPriority(workload, name, workload.preemptible));
  return Put(txn, std::move(workload), "Prioritized",
             fmt::format("Given the priority {} by {}.", name, txn.who().id));
}

Result<Ptr<Workload>> ExtendWorkload(Txn& txn, WorkloadId id, Micros by) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  if (workload.deleted_at || HasEnded(workload.life)) {
    return Refuse(workload, "given more time", "submit it again with a longer time limit");
  }
  if (by.value <= 0) return Fail(Code::kInvalid, "seconds: must be positive");
  RunRules& rules = workload.rules;
  if (!rules.time_limit && !rules.stop_at) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' has no time limit to extend", workload.name));
  }
  if (rules.time_limit) {
    rules.time_limit = *rules.time_limit + by;
    YARD_TRY(RequireTime(txn.state(), workload, *rules.time_limit));
  }
  if (rules.stop_at) rules.stop_at = *rules.stop_at + by;
  YARD_TRY(ChangeSpec(txn.state(), workload,
                      {.time_limit = rules.time_limit, .stop_at = rules.stop_at}));
  return Put(txn, std::move(workload), "Extended",
             fmt::format("Given {} s more by {}.", by.value / 1'000'000, txn.who().id));
}

Result<Ptr<Workload>> LimitGpuMemory(Txn& txn, WorkloadId id, const GpuLimitOrder& order) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  if (workload.deleted_at || HasEnded(workload.life)) {
    return Refuse(workload, "given another limit", "submit it again with the one you want");
  }
  const GpuAsk ask = workload.spec->gpu_ask;
  if (ask != GpuAsk::kPortion && ask != GpuAsk::kMemory) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' has no part of a GPU to limit", workload.name));
  }
  bool by_portion = ask == GpuAsk::kPortion;
  SpecChange change{.gpu_portion_limit = order.portion, .gpu_memory_limit = order.memory};
  YARD_TRY(wire::RequireGpuLimit(change, ask));
  YARD_TRY(ChangeSpec(txn.state(), workload, change));
  std::string shown = by_portion ? fmt::format("{} of a GPU", *order.portion) : *order.memory;
  return Put(txn, std::move(workload), "GpuLimitChanged",
             fmt::format("Its GPU memory may grow to {} while there is room; set by {}.", shown,
                         txn.who().id));
}

Result<Ptr<Workload>> ParkWorkload(Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, Action::kUpdate));
  Ptr<Attempt> open = txn.state().OpenAttempt(workload);
  if (WaitsForItsGpus(txn.state(), workload)) return SuspendWorkload(txn, id, workload.type);
  bool leaves = open && open->residence == Residence::kLeaving && !open->stop;
  if (workload.life == Life::kParked || leaves) return txn.state().Find<Workload>(id);
  if (std::optional<Obstacle> obstacle = ParkObstacle(workload, open.get())) {
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' is {} and cannot be taken off its GPUs: {}",
                            workload.name, Name(workload.phase()), obstacle->reason),
                std::string(obstacle->instead));
  }
  Attempt attempt = *open;
  Relocate(attempt, Residence::kLeaving, txn.now());
  txn.Put(std::move(attempt));
  YARD_TRY(Move(workload,
                {Life::kLeaving, "", "Its GPU memory is being moved to host memory.", txn.now()}));
  return Put(txn, std::move(workload), "ParkRequested",
             fmt::format("Taken off its GPUs by {}; its memory is kept.", txn.who().id));
}

Result<Ptr<Workload>> RerunWorkload(Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Workload old, Allowed(txn, id, Action::kRead));
  if (!HasEnded(old.life) && !old.deleted_at) {
    return Refuse(old, "run once more", "wait until it has ended, or submit another one");
  }
  WorkloadDraft draft;
  Workload& again = draft.workload;
  again.project = old.project;
  again.cluster = old.host();
  again.type = old.type;
  again.name = old.requested_name.empty() ? old.name : old.requested_name;
  again.spec = old.spec;
  again.master_spec = old.master_spec;
  again.master_as_worker = old.master_as_worker;
  again.request = old.request;
  YARD_TRY(ComplyAgain(txn.state(), again));
  again.rules.after.clear();  // it has had its turn
  again.rules.hold = false;
  again.rules.stop_at.reset();
  // Items of an array are numbered already.
  bool taken = txn.state().WorkloadByName(again.project, again.name) != nullptr;
  draft.naming = again.rules.array && taken ? Naming::kSuffix : Naming::kNumber;
  return CreateWorkload(txn, std::move(draft));
}

}  // namespace yard::control

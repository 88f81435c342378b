// Orders about work: hold, release, cancel, extend, priority, GPU limit, park, rerun.
#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/live/views.h"
#include "api/workloads/workload_views.h"
#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"

namespace yard::api {
namespace {

using control::Txn;

// A command on one workload, answered with one sentence.
template <class Change>
Result<Answer> Order(Call& call, std::string_view done, Change change) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  return Commit(
      [id, change](Txn& txn) { return change(txn, id); },
      [done](const Ptr<Workload>& workload) {
        return AcceptedReply(fmt::format("{} '{}' {}", Name(workload->type), workload->name, done));
      });
}

Result<Answer> Hold(Call& call) {
  return Order(call, "is held", control::HoldWorkload);
}

Result<Answer> Release(Call& call) {
  return Order(call, "is released", control::ReleaseWorkload);
}

Result<Answer> Cancel(Call& call) {
  return Order(call, "is cancelled", control::CancelWorkload);
}

// Where no engine could do it the order is refused, not only its execution.
Result<Answer> Park(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, AllowedWorkload(call));
  YARD_ASSIGN(control::Live * live, LiveOf(call));
  if (engine::Capabilities can = live->Abilities(workload->host()); !can.parking) {
    std::string_view why = can.parking_missing;
    return Fail(Code::kUnsupported,
                fmt::format("work cannot be taken off its GPUs here: {}",
                            why.empty() ? "this engine has no way to do it" : why),
                "suspend it without keeping its memory");
  }
  return Order(call, "leaves its GPUs; its memory is kept", control::ParkWorkload);
}

Result<Answer> Prioritize(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  std::string name(body.at("priorityClass").as_string());
  return Order(call, "has another priority", [name](Txn& txn, WorkloadId id) {
    return control::PrioritizeWorkload(txn, id, name);
  });
}

Result<Answer> LimitGpu(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  control::GpuLimitOrder order;
  if (const json::value* part = body.if_contains("gpuPortionLimit"); part && part->is_number())
    order.portion = part->to_number<double>();
  if (const json::value* size = body.if_contains("gpuMemoryLimit"); size && size->is_string())
    order.memory = std::string(size->get_string());
  return Order(call, "has another limit of GPU memory", [order](Txn& txn, WorkloadId id) {
    return control::LimitGpuMemory(txn, id, order);
  });
}

Result<Answer> Extend(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  Micros by = Seconds(body.at("seconds").to_number<std::int64_t>());
  return Order(call, "may run longer",
               [by](Txn& txn, WorkloadId id) { return control::ExtendWorkload(txn, id, by); });
}

Result<Answer> Rerun(Call& call) {
  YARD_ASSIGN(Ptr<Workload> old, AllowedWorkload(call));
  return Commit([id = old->id](Txn& txn) { return control::RerunWorkload(txn, id); },
                [](const Ptr<Workload>& workload) {
                  std::string out;
                  wire::Writer w(out);
                  wire::WriteRecord(w, *workload);
                  return Json(std::move(out), 202);
                });
}

}  // namespace

void AddLiveOrderRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kUpdate = MayByKind(Action::kUpdate);
  routes.insert(
      routes.end(),
      {{kPost, "/api/v1/workloads/{workloadId}/hold", kUpdate, Hold,
        "Keep a waiting workload from starting", "", "Accepted", 202},
       {kPost, "/api/v1/workloads/{workloadId}/release", kUpdate, Release,
        "Let a held workload start", "", "Accepted", 202},
       {kPost, "/api/v1/workloads/{workloadId}/priority", kUpdate, Prioritize,
        "Give a workload another priority class", "PriorityOrder", "Accepted", 202},
       {kPost, "/api/v1/workloads/{workloadId}/gpu-limit", kUpdate, LimitGpu,
        "Change how much GPU memory a part may grow to", "GpuLimitOrder", "Accepted", 202},
       {kPost, "/api/v1/workloads/{workloadId}/park", kUpdate, Park,
        "Take running work off its GPUs and keep its memory", "", "Accepted", 202},
       {kPost, "/api/v1/workloads/{workloadId}/extend", kUpdate, Extend,
        "Move a workload's time limit", "Extension", "Accepted", 202},
       {kPost, "/api/v1/workloads/{workloadId}/rerun", MayByKind(Action::kCreate), Rerun,
        "Submit a workload again as it was", "", "WorkloadRecord", 202},
       {kPost, "/api/v1/workloads/{workloadId}/cancel", kUpdate, Cancel,
        "End a workload and keep its record", "", "Accepted", 202}});
}

}  // namespace yard::api

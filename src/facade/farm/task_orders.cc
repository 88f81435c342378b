// Orders about tasks: cancel, pause, submit again, archive.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "facade/farm/ask.h"
#include "facade/farm/errors.h"
#include "facade/farm/routes.h"
#include "facade/farm/task.h"
#include "wire/fields.h"

namespace yard::facade::farm {
namespace {

using control::Txn;
using serve::Answer;
using serve::Call;

constexpr std::size_t kMostAtOnce = 1000;

// Each gives the id of the task that it is about: a task that has ended is submitted again as a new
// one, since what ended stays as it was.
using Order = Result<WorkloadId> (*)(Txn& txn, WorkloadId id);

Result<WorkloadId> CancelTask(Txn& txn, WorkloadId id) {
  YARD_TRY(control::CancelWorkload(txn, id));
  return id;
}

Result<WorkloadId> PauseTask(Txn& txn, WorkloadId id) {
  YARD_TRY(control::SuspendWorkload(txn, id, WorkloadType::kTraining));
  return id;
}

Result<WorkloadId> SubmitTaskAgain(Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Ptr<Workload> workload, control::FindWorkload(txn.state(), id));
  if (workload->rules.hold) {
    YARD_TRY(control::ReleaseWorkload(txn, id));
    return id;
  }
  if (IsFinal(workload->life)) {
    YARD_ASSIGN(Ptr<Workload> again, control::RerunWorkload(txn, id));
    return again->id;
  }
  YARD_TRY(control::ResumeWorkload(txn, id, WorkloadType::kTraining));
  return id;
}

Result<WorkloadId> ArchiveTask(Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Ptr<Workload> workload, control::FindWorkload(txn.state(), id));
  if (!HasEnded(workload->life)) {
    return Fail(Code::kPrecondition, fmt::format("task {} has not ended", FormatUuid(id.value)),
                "cancel it first");
  }
  YARD_TRY(control::DeleteWorkload(txn, id, WorkloadType::kTraining));
  return id;
}

constexpr std::pair<std::string_view, Order> kOrders[] = {
    {"cancelling", CancelTask}, {"cancelled", CancelTask},      {"pausing", PauseTask},
    {"paused", PauseTask},      {"submitted", SubmitTaskAgain}, {"archived", ArchiveTask}};

Result<Order> OrderFor(std::string_view status) {
  for (const auto& [word, order] : kOrders) {
    if (word == status) return order;
  }
  if (status.empty()) return Fail(Code::kInvalid, "status: is required, and all that can be set");
  return Fail(Code::kInvalid, fmt::format("status: nobody can set '{}' here", status),
              "set cancelled, paused, submitted or archived; the engine reports the others");
}

// Archiving takes the permission to delete, which the command asks for.
Result<Answer> Give(Call& call, Order order, http::Reply (*render)(const WorkloadId& id)) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(Ptr<Workload> workload, TaskOf(call, wire::TextOrEmpty(body, "task_id")));
  return serve::Commit([order, id = workload->id](Txn& txn) { return order(txn, id); }, render);
}

http::Reply NullReply(const WorkloadId&) {
  return serve::Json("null");
}

http::Reply IdReply(const WorkloadId& id) {
  return serve::Json(JsonText(json::object{{"task_id", FormatUuid(id.value)}}));
}

http::Reply UpdateReply(const WorkloadId& id) {
  return serve::Json(
      JsonText(json::object{{"should_cancel", false}, {"task_id", FormatUuid(id.value)}}));
}

Result<Answer> Cancel(Call& call) {
  return Give(call, CancelTask, NullReply);
}

Result<Answer> Retry(Call& call) {
  return Give(call, SubmitTaskAgain, IdReply);
}

Result<Answer> Update(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(Ptr<Workload> workload, TaskOf(call, wire::TextOrEmpty(body, "task_id")));
  YARD_ASSIGN(Order order, OrderFor(wire::TextOrEmpty(body, "status")));
  return serve::Commit([order, id = workload->id](Txn& txn) { return order(txn, id); },
                       UpdateReply);
}

// What became of each of several tasks.
struct Outcome {
  std::size_t done = 0;
  std::vector<std::pair<std::string, Error>> failed;
};

struct Several {
  std::vector<WorkloadId> ids;
  Outcome outcome;  // with those that cannot be tasks of the caller
};

Result<Several> ReadSeveral(Call& call, const json::object& body) {
  const std::vector<std::string> ids = wire::TextsOf(body, "task_ids");
  if (ids.size() > kMostAtOnce) {
    return Fail(Code::kInvalid, fmt::format("task_ids: has {} entries", ids.size()),
                fmt::format("send at most {} at once", kMostAtOnce));
  }
  call.NeedsNoScope();  // each task is looked at on its own
  Several several;
  for (const std::string& id : ids) {
    Result<Ptr<Workload>> workload = TaskOf(call, id);
    if (workload) {
      several.ids.push_back((*workload)->id);
    } else {
      several.outcome.failed.emplace_back(id, workload.error());
    }
  }
  return several;
}

Result<Answer> GiveToEach(Call& call, Order order, http::Reply (*render)(const Outcome& outcome)) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(Several several, ReadSeveral(call, body));
  return serve::Commit(
      [several = std::move(several), order](Txn& txn) -> Result<Outcome> {
        Outcome outcome = several.outcome;
        for (WorkloadId id : several.ids) {
          Result<WorkloadId> given = order(txn, id);
          if (given) {
            ++outcome.done;
          } else {
            outcome.failed.emplace_back(FormatUuid(id.value), given.error());
          }
        }
        return outcome;
      },
      render);
}

http::Reply ArchivedReply(const Outcome& outcome) {
  json::array details;
  for (const auto& [id, error] : outcome.failed) details.emplace_back(DetailOf(error));
  return serve::Json(JsonText(json::object{{"archived_tasks_count", outcome.done},
                                           {"error_count", outcome.failed.size()},
                                           {"error_details", std::move(details)}}));
}

http::Reply BulkReply(const Outcome& outcome) {
  json::array errors;
  for (const auto& [id, error] : outcome.failed) {
    errors.push_back(json::object{{"task_id", id}, {"error", DetailOf(error)}});
  }
  return serve::Json(
      JsonText(json::object{{"updated_task_count", outcome.done}, {"errors", std::move(errors)}}));
}

Result<Answer> Archive(Call& call) {
  return GiveToEach(call, ArchiveTask, ArchivedReply);
}

Result<Answer> BulkStatus(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(Order order, OrderFor(wire::TextOrEmpty(body, "status")));
  return GiveToEach(call, order, BulkReply);
}

}  // namespace

void AddTaskOrderRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  const serve::Need remove = serve::May(Action::kDelete, Resource::kTrainings);
  routes.insert(
      routes.end(),
      {{Method::kPost, "/queue/management/tasks/cancel", update, Cancel, "Cancel a task"},
       {Method::kPost, "/queue/management/tasks/retry", update, Retry, "Submit a task again"},
       {Method::kPost, "/queue/management/tasks/update", update, Update,
        "Set the status of a task"},
       {Method::kPost, "/queue/management/tasks/archive", remove, Archive,
        "Archive tasks that have ended"},
       {Method::kPost, "/queue/management/tasks/bulk-status", update, BulkStatus,
        "Set the status of several tasks"}});
}

}  // namespace yard::facade::farm

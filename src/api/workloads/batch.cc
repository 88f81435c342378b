#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/workloads/workload_views.h"
#include "control/commands/workloads.h"

namespace yard::api {
namespace {

struct BatchOutcome {
  Uuid id;
  std::vector<WorkloadId> succeeded;
  std::vector<std::pair<WorkloadId, Error>> failed;
};

// Each on its own: one that cannot be deleted does not keep the others.
BatchOutcome DeleteAll(control::Txn& txn, const std::vector<WorkloadId>& ids) {
  BatchOutcome outcome{.id = txn.NewUuid()};
  for (WorkloadId id : ids) {
    Status status = control::DeleteWorkload(txn, id, std::nullopt);
    if (status) {
      outcome.succeeded.push_back(id);
    } else {
      outcome.failed.emplace_back(id, status.error());
    }
  }
  return outcome;
}

http::Reply OutcomeReply(const BatchOutcome& outcome) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("id", outcome.id);
  w("succeeded", outcome.succeeded);
  w.Key("failed");
  w.BeginList();
  for (const auto& [id, error] : outcome.failed) {
    w.Item();
    w.Begin();
    w("id", id);
    w("code", StatusOf(error.code));
    w("message", error.message);
    w.End();
  }
  w.EndList();
  w.End();
  return Json(std::move(out));
}

Result<Answer> Batch(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  std::vector<WorkloadId> ids;
  for (const json::value& id : body.at("ids").as_array()) {
    std::optional<Uuid> parsed = ParseUuid(std::string_view(id.as_string()));
    if (parsed) ids.push_back(WorkloadId{*parsed});
  }
  // Every deletion is checked on its own; an empty list changes nothing.
  call.NeedsNoScope();
  return Commit([ids](control::Txn& txn) -> Result<BatchOutcome> { return DeleteAll(txn, ids); },
                OutcomeReply);
}

}  // namespace

void AddWorkloadBatchRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kPost, "/api/v1/workloads/batch",
                    May(Action::kDelete, Resource::kWorkloads), Batch, "Delete several workloads",
                    "WorkloadBatch", "BatchResult"});
}

}  // namespace yard::api

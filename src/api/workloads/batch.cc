#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/workloads/workload_views.h"
#include "base/check.h"
#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"

namespace yard::api {
namespace {

struct BatchOutcome {
  Uuid id;
  std::vector<WorkloadId> succeeded;
  std::vector<std::pair<WorkloadId, Error>> failed;
};

using Act = Status (*)(control::Txn&, WorkloadId);

// Each on its own: one that is refused does not keep the others.
BatchOutcome ActOnEach(control::Txn& txn, const std::vector<WorkloadId>& ids, Act act) {
  BatchOutcome outcome{.id = txn.NewUuid()};
  for (WorkloadId id : ids) {
    Status status = act(txn, id);
    if (status) {
      outcome.succeeded.push_back(id);
    } else {
      outcome.failed.emplace_back(id, status.error());
    }
  }
  return outcome;
}

Status Delete(control::Txn& txn, WorkloadId id) {
  return control::DeleteWorkload(txn, id, std::nullopt);
}

template <Result<Ptr<Workload>> (*kOrder)(control::Txn&, WorkloadId)>
Status Obey(control::Txn& txn, WorkloadId id) {
  YARD_TRY(kOrder(txn, id));
  return {};
}

template <Result<Ptr<Workload>> (*kOrder)(control::Txn&, WorkloadId, WorkloadType)>
Status ObeyByKind(control::Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Ptr<Workload> workload, control::FindWorkload(txn.state(), id));
  YARD_TRY(kOrder(txn, id, workload->type));
  return {};
}

// The schema names exactly these.
constexpr std::pair<std::string_view, Act> kOrders[] = {
    {"cancel", Obey<control::CancelWorkload>},
    {"hold", Obey<control::HoldWorkload>},
    {"release", Obey<control::ReleaseWorkload>},
    {"suspend", ObeyByKind<control::SuspendWorkload>},
    {"resume", ObeyByKind<control::ResumeWorkload>},
};

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

// One transaction holds the server's only writer for its whole length.
constexpr std::size_t kMostAtOnce = 5000;

Result<std::vector<WorkloadId>> IdsOf(const json::object& body) {
  const json::array& list = body.at("ids").as_array();
  if (list.size() > kMostAtOnce) {
    return Fail(Code::kInvalid, fmt::format("ids has {} entries", list.size()),
                fmt::format("send at most {} at once", kMostAtOnce));
  }
  std::vector<WorkloadId> ids;
  for (const json::value& id : list) {
    std::optional<Uuid> parsed = ParseUuid(std::string_view(id.as_string()));
    if (parsed) ids.push_back(WorkloadId{*parsed});
  }
  return ids;
}

Result<Answer> OnEach(Call& call, const json::object& body, Act act) {
  YARD_ASSIGN(std::vector<WorkloadId> ids, IdsOf(body));
  // Every workload is checked on its own; an empty list changes nothing.
  call.NeedsNoScope();
  return Commit(
      [ids, act](control::Txn& txn) -> Result<BatchOutcome> { return ActOnEach(txn, ids, act); },
      OutcomeReply);
}

Result<Answer> Batch(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  return OnEach(call, body, Delete);
}

Result<Answer> Order(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  std::string_view wanted = body.at("order").as_string();
  const auto* order = std::ranges::find(kOrders, wanted, [](const auto& one) { return one.first; });
  YARD_CHECK(order != std::end(kOrders));
  return OnEach(call, body, order->second);
}

}  // namespace

void AddWorkloadBatchRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kPost, "/api/v1/workloads/batch",
                    May(Action::kDelete, Resource::kWorkloads), Batch, "Delete several workloads",
                    "WorkloadBatch", "BatchResult"});
  routes.push_back({http::Method::kPost, "/api/v1/workloads/orders",
                    May(Action::kUpdate, Resource::kWorkloads), Order,
                    "Give one order to several workloads", "WorkloadOrders", "BatchResult"});
}

}  // namespace yard::api

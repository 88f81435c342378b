#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "api/nodes/infra_views.h"
#include "control/commands/infra.h"

namespace yard::api {
namespace {

using control::State;
using control::Txn;

// A pool with the state it is seen in, so that columns can look things up.
struct Row {
  const NodePool* pool;
  const State* state;
};

constexpr Column<Row> kColumns[] = {
    {"name", [](const Row& r) -> Cell { return std::string_view(r.pool->name); }, true},
    {"id", [](const Row& r) -> Cell { return r.pool->id.value; }},
    {"clusterId", [](const Row& r) -> Cell { return FormatUuid(r.pool->cluster.value); }},
    {"phase", [](const Row& r) -> Cell { return wire::PhaseOf(ViewOf(*r.state, *r.pool)); }},
    {"createdAt", [](const Row& r) -> Cell { return r.pool->stamp.created_at; }},
};

http::Reply PoolReply(const State& state, const NodePool& pool, int status = 200) {
  std::string out;
  wire::Writer w(out);
  wire::WriteNodePool(w, ViewOf(state, pool));
  return Json(std::move(out), status);
}

std::vector<Row> VisibleRows(Call& call) {
  std::vector<Row> rows;
  call.state().Of<NodePool>().Each([&](const NodePool& pool) {
    if (SeesInside(call, Resource::kNodePools, pool.cluster))
      rows.push_back({&pool, &call.state()});
  });
  call.NeedsNoScope();
  return rows;
}

Result<Answer> ListPools(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<Row> rows = VisibleRows(call);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("nodepools");
  w.BeginList();
  for (const Row* row : Select(Pointers(rows), columns, query).rows) {
    w.Item();
    wire::WriteNodePool(w, ViewOf(call.state(), *row->pool));
  }
  w.EndList();
  w.End();
  return Json(std::move(out));
}

Result<Answer> CountPools(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<Row> rows = VisibleRows(call);
  return Json(fmt::format(R"({{"count":{}}})", Select(Pointers(rows), columns, query).total));
}

Result<Answer> GetPool(Call& call) {
  YARD_ASSIGN(NodePoolId id, NodePoolIdOf(call));
  YARD_ASSIGN(Ptr<NodePool> pool, control::GetNodePool(call.state(), id));
  YARD_TRY(RequireInside(call, pool->cluster));
  return PoolReply(call.state(), *pool);
}

Result<control::NodePoolDraft> ReadDraft(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  wire::NodePoolBody pool = wire::ReadNodePool(body);
  control::NodePoolDraft draft{.name = std::move(pool.name),
                               .label_key = std::move(pool.label_key),
                               .label_value = std::move(pool.label_value),
                               .over_provisioning_ratio_milli = pool.over_provisioning_ratio_milli,
                               .cpu_placement = pool.cpu_placement,
                               .gpu_placement = pool.gpu_placement};
  if (pool.cluster) draft.cluster = ClusterId{*pool.cluster};
  return draft;
}

auto RenderPool(Call& call, int status) {
  return [&call, status](const Ptr<NodePool>& pool) {
    return PoolReply(*call.service().Read(), *pool, status);
  };
}

Result<Answer> CreatePool(Call& call) {
  YARD_ASSIGN(control::NodePoolDraft draft, ReadDraft(call));
  return Commit([draft](Txn& txn) { return control::CreateNodePool(txn, draft); },
                RenderPool(call, 201));
}

Result<Answer> UpdatePool(Call& call) {
  YARD_ASSIGN(NodePoolId id, NodePoolIdOf(call));
  YARD_ASSIGN(control::NodePoolDraft draft, ReadDraft(call));
  return Commit([id, draft](Txn& txn) { return control::UpdateNodePool(txn, id, draft); },
                RenderPool(call, 200));
}

Result<Answer> DeletePool(Call& call) {
  YARD_ASSIGN(NodePoolId id, NodePoolIdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteNodePool(txn, id); },
                [] { return Empty(204); });
}

}  // namespace

void AddNodePoolRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/node-pools";
  constexpr std::string_view kOne = "/api/v1/node-pools/{nodepoolId}";
  constexpr Resource kPools = Resource::kNodePools;
  routes.insert(routes.end(), {{kGet, kAll, May(Action::kRead, kPools), ListPools,
                                "List node pools", "", "NodePoolList", 200, ListParameters()},
                               {kPost, kAll, May(Action::kCreate, kPools), CreatePool,
                                "Create a node pool", "NodePoolDraft", "NodePool", 201},
                               {kGet, "/api/v1/node-pools/count", May(Action::kRead, kPools),
                                CountPools, "Count node pools", "", "Count", 200, ListParameters()},
                               {kGet, kOne, May(Action::kRead, kPools), GetPool, "Get a node pool",
                                "", "NodePool"},
                               {kPut, kOne, May(Action::kUpdate, kPools), UpdatePool,
                                "Update a node pool", "NodePoolUpdate", "NodePool"},
                               {kPatch, kOne, May(Action::kUpdate, kPools), UpdatePool,
                                "Change parts of a node pool", "NodePoolUpdate", "NodePool"},
                               {kDelete, kOne, May(Action::kDelete, kPools), DeletePool,
                                "Delete a node pool", "", "", 204}});
}

}  // namespace yard::api

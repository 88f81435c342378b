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

// A node with the state it is seen in, so that columns can look things up.
struct Row {
  const Node* node;
  const State* state;
};

constexpr Column<Row> kColumns[] = {
    {"name", [](const Row& r) -> Cell { return std::string_view(r.node->name); }, true},
    {"clusterId", [](const Row& r) -> Cell { return FormatUuid(r.node->cluster.value); }},
    {"nodepoolName", [](const Row& r) -> Cell { return PoolNameOf(*r.state, *r.node); }, true},
    {"status", [](const Row& r) -> Cell { return wire::ToName(r.node->status); }},
    {"gpuType",
     [](const Row& r) -> Cell {
       return r.node->gpu_type ? Cell(std::string_view(*r.node->gpu_type)) : Cell();
     },
     true},
    {"gpuCount", [](const Row& r) -> Cell { return r.node->gpu_count; }},
    {"createdAt", [](const Row& r) -> Cell { return r.node->stamp.created_at; }},
};

http::Reply NodeReply(const State& state, const Node& node, int status = 200) {
  std::string out;
  wire::Writer w(out);
  wire::WriteNode(w, node, NamesOf(state, node));
  return Json(std::move(out), status);
}

std::vector<Row> VisibleRows(Call& call) {
  std::vector<Row> rows;
  call.state().Of<Node>().Each([&](const Node& node) {
    if (SeesInside(call, Resource::kNodes, node.cluster)) rows.push_back({&node, &call.state()});
  });
  call.NeedsNoScope();
  return rows;
}

http::Reply PageReply(Call& call, const Page<Row>& page) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("nodes");
  w.BeginList();
  for (const Row* row : page.rows) {
    w.Item();
    wire::WriteNode(w, *row->node, NamesOf(call.state(), *row->node));
  }
  w.EndList();
  w("next", page.next);
  w.End();
  return JsonPage(std::move(out), page.total);
}

Result<Answer> ListNodes(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<Row> rows = VisibleRows(call);
  return PageReply(call, Select(Pointers(rows), columns, query));
}

Result<Answer> CountNodes(Call& call) {
  std::span<const Column<Row>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<Row> rows = VisibleRows(call);
  return Json(fmt::format(R"({{"count":{}}})", Select(Pointers(rows), columns, query).total));
}

// All nodes of one cluster, or the one of a name; this list has no pages.
Result<Answer> ListClusterNodes(Call& call) {
  YARD_ASSIGN(ClusterId id, ClusterIdOf(call));
  YARD_ASSIGN(Ptr<Cluster> cluster, control::GetCluster(call.state(), id));
  YARD_TRY(RequireInside(call, cluster->id));
  std::optional<std::string_view> name = call.Query("nodeName");
  std::vector<Row> rows = VisibleRows(call);
  std::erase_if(rows, [&](const Row& row) {
    return row.node->cluster != id || (name && row.node->name != *name);
  });
  return PageReply(call, {.rows = Pointers(rows), .total = rows.size()});
}

Result<Answer> GetNode(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  YARD_ASSIGN(Ptr<Node> node, control::GetNode(call.state(), id));
  YARD_TRY(RequireInside(call, node->cluster));
  return NodeReply(call.state(), *node);
}

Result<control::NodeDraft> ReadDraft(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  wire::NodeBody node = wire::ReadNode(body);
  control::NodeDraft draft{.name = std::move(node.name),
                           .status = node.status,
                           .taints = std::move(node.taints),
                           .labels = std::move(node.labels),
                           .gpu_type = std::move(node.gpu_type),
                           .gpu_count = node.gpu_count,
                           .gpu_memory = node.gpu_memory,
                           .cpu = node.cpu,
                           .memory = node.memory};
  if (node.cluster) draft.cluster = ClusterId{*node.cluster};
  return draft;
}

auto RenderNode(Call& call, int status) {
  return [&call, status](const Ptr<Node>& node) {
    return NodeReply(*call.service().Read(), *node, status);
  };
}

Result<Answer> CreateNode(Call& call) {
  YARD_ASSIGN(control::NodeDraft draft, ReadDraft(call));
  return Commit([draft](Txn& txn) { return control::DeclareNode(txn, draft); },
                RenderNode(call, 201));
}

Result<Answer> UpdateNode(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  YARD_ASSIGN(control::NodeDraft draft, ReadDraft(call));
  return Commit([id, draft](Txn& txn) { return control::RedeclareNode(txn, id, draft); },
                RenderNode(call, 200));
}

Result<Answer> DeleteNode(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteNode(txn, id); }, [] { return Empty(204); });
}

}  // namespace

void AddNodeRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/nodes";
  constexpr std::string_view kOne = "/api/v1/nodes/{nodeId}";
  // Predefined roles only view nodes; who may change the cluster may say what it consists of.
  constexpr Need kDeclare = May(Action::kUpdate, Resource::kCluster);
  constexpr Need kView = May(Action::kRead, Resource::kNodes);
  routes.insert(
      routes.end(),
      {{kGet,
        "/api/v1/clusters/{clusterUuid}/nodes",
        kView,
        ListClusterNodes,
        "List a cluster's nodes",
        "",
        "NodeList",
        200,
        {{"nodeName", "string"}}},
       {kGet, kAll, kView, ListNodes, "List nodes", "", "NodeList", 200, ListParameters()},
       {kPost, kAll, kDeclare, CreateNode, "Declare a node", "NodeDraft", "Node", 201},
       {kGet, "/api/v1/nodes/count", kView, CountNodes, "Count nodes", "", "Count", 200,
        ListParameters()},
       {kGet, kOne, kView, GetNode, "Get a node", "", "Node"},
       {kPut, kOne, kDeclare, UpdateNode, "Declare a node again", "NodeUpdate", "Node"},
       {kDelete, kOne, kDeclare, DeleteNode, "Forget a node", "", "", 204}});
}

}  // namespace yard::api

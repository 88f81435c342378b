// Orders about machines: drain, resume, label.
#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/nodes/infra_views.h"
#include "control/commands/infra_nodes.h"
#include "control/dispatch/node_sync.h"
#include "wire/fields.h"
#include "wire/infra.h"

namespace yard::api {
namespace {

using control::Txn;

http::Reply NodeAccepted(const Node& node, std::string_view done) {
  return AcceptedReply(fmt::format("node '{}' {}", node.name, done));
}

// The schema has looked at its form.
std::optional<Time> TimeIn(const json::object& body, std::string_view name) {
  return ParseRfc3339(wire::TextOrEmpty(body, name));
}

Result<Answer> Drain(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  const control::DrainOrder order{.reason = std::string(wire::TextOrEmpty(body, "reason")),
                                  .stop_at = TimeIn(body, "stopAt"),
                                  .until = TimeIn(body, "until")};
  return Commit([id, order](Txn& txn) { return control::DrainNode(txn, id, order); },
                [](const Ptr<Node>& node) {
                  return NodeAccepted(*node, "is drained: nothing new starts on it");
                });
}

Result<Answer> Resume(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  return Commit([id](Txn& txn) { return control::ResumeNode(txn, id); },
                [](const Ptr<Node>& node) { return NodeAccepted(*node, "takes work again"); });
}

Result<Answer> Label(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  control::LabelChange change;
  for (const auto& [key, value] : wire::ObjectOrEmpty(body, "set"))
    change.set[key] = std::string_view(value.as_string());
  for (const json::value& key : wire::ListOrEmpty(body, "remove"))
    change.remove.emplace_back(std::string_view(key.as_string()));
  return Commit([id, change](Txn& txn) { return control::LabelNode(txn, id, change); },
                [&call](const Ptr<Node>& node) {
                  std::string out;
                  wire::Writer w(out);
                  wire::WriteNode(w, *node, NamesOf(*call.service().Read(), *node));
                  return Json(std::move(out));
                });
}

}  // namespace

void AddNodeOrderRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kUpdate = May(Action::kUpdate, Resource::kCluster);
  routes.insert(routes.end(), {{kPost, "/api/v1/nodes/{nodeId}/drain", kUpdate, Drain,
                                "Start nothing new on a node", "DrainOrder", "Accepted", 202},
                               {kPost, "/api/v1/nodes/{nodeId}/resume", kUpdate, Resume,
                                "Let a drained node take work", "", "Accepted", 202},
                               {kPost, "/api/v1/nodes/{nodeId}/labels", kUpdate, Label,
                                "Change labels of a node", "NodeLabelChange", "Node"}});
}

}  // namespace yard::api

// Orders about machines: drain, resume.
#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/nodes/infra_views.h"
#include "control/dispatch/node_sync.h"

namespace yard::api {
namespace {

using control::Txn;

http::Reply NodeAccepted(const Node& node, std::string_view done) {
  return AcceptedReply(fmt::format("node '{}' {}", node.name, done));
}

Result<Answer> Drain(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  std::string reason(std::string_view(body.at("reason").as_string()));
  return Commit([id, reason](Txn& txn) { return control::DrainNode(txn, id, reason); },
                [](const Ptr<Node>& node) {
                  return NodeAccepted(*node, "is drained: nothing new starts on it");
                });
}

Result<Answer> Resume(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  return Commit([id](Txn& txn) { return control::ResumeNode(txn, id); },
                [](const Ptr<Node>& node) { return NodeAccepted(*node, "takes work again"); });
}

}  // namespace

void AddNodeOrderRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kUpdate = May(Action::kUpdate, Resource::kCluster);
  routes.insert(routes.end(), {{kPost, "/api/v1/nodes/{nodeId}/drain", kUpdate, Drain,
                                "Start nothing new on a node", "DrainOrder", "Accepted", 202},
                               {kPost, "/api/v1/nodes/{nodeId}/resume", kUpdate, Resume,
                                "Let a drained node take work", "", "Accepted", 202}});
}

}  // namespace yard::api

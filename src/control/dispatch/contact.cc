#include "control/dispatch/contact.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace yard::control {

WaitNote LostNote(Time since, const std::string& why) {
  WaitNote note{
      .reason = std::string(kOutOfContact),
      .message = fmt::format("Its cluster is out of contact since {}: {}. It is shown as it was "
                             "last seen, and nothing of it is given up.",
                             FormatRfc3339(since), why),
      .never = false,
      .causes = {}};
  note.causes.push_back({note.reason, note.message, {}, {}});
  return note;
}

void LoseNodes(Txn& txn, ClusterId cluster, const std::string& engine, const std::string& why) {
  std::vector<Node> lost;
  txn.state().Of<Node>().Each([&](const Node& node) {
    const bool mine = node.cluster == cluster && node.engine == engine;
    const bool known = node.status == NodeStatus::kNotReady && !node.conditions.empty() &&
                       node.conditions.front().reason == kOutOfContact;
    if (mine && !known) lost.push_back(node);
  });
  for (Node& node : lost) {
    node.status = NodeStatus::kNotReady;
    node.conditions = {{.type = "Ready", .reason = std::string(kOutOfContact), .message = why}};
    txn.Touch(node.stamp);
    txn.Put(std::move(node));
  }
}

}  // namespace yard::control

// Which pool a node belongs to; shared by the commands on pools and nodes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/org.h"

namespace yard::control {

using Labels = std::map<std::string, std::string>;

// The pool for a node with these labels: kConflict if two pools claim it.
Result<NodePoolId> PoolFor(const State& state, ClusterId cluster, const Labels& labels);

// Changes labels of a node and nothing else of it; it moves to the pool that it then belongs to.
struct LabelChange {
  Labels set;
  std::vector<std::string> remove;
};
Result<Ptr<Node>> LabelNode(Txn& txn, NodeId id, const LabelChange& change);

// Puts every node of a cluster into the pool it belongs to now.
Status ReassignNodes(Txn& txn, ClusterId cluster);

}  // namespace yard::control

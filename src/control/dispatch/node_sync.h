// Nodes as engines see them, and an administrator's word on what may start there.
//
// A node that an engine no longer reports stays, not ready; a device it no longer reports stays
// in its place, faulty, since attempts name devices by it. Reactor thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "control/state/txn.h"
#include "engine/task.h"
#include "model/org.h"

namespace yard::control {

// Makes the nodes of a cluster what the engine says. Writes only what changed.
Status SyncNodes(Txn& txn, ClusterId cluster, const std::string& engine,
                 const std::vector<engine::NodeState>& seen);

// Says that this engine runs the cluster's work; an empty name: none does.
void AttachEngine(Txn& txn, ClusterId cluster, const std::string& engine);

// Nothing new starts on the node until it is resumed; what runs there goes on.
Result<Ptr<Node>> DrainNode(Txn& txn, NodeId id, std::string reason);
Result<Ptr<Node>> ResumeNode(Txn& txn, NodeId id);

}  // namespace yard::control

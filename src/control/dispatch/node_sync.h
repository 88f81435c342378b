// Nodes as engines see them, and an administrator's word on what may start there.
//
// A node that an engine no longer reports stays, not ready; a device it no longer reports stays
// in its place, faulty, since attempts name devices by it. Reactor thread.
#pragma once

#include <optional>
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

struct DrainOrder {
  std::string reason;
  std::optional<Time> stop_at = std::nullopt;  // past times mean now
  std::optional<Time> until = std::nullopt;    // to come, and after `stop_at`
};

// Nothing new starts on the node until it is resumed; what runs there goes on until `stop_at`. An
// order for a drained node takes the place of the one before.
Result<Ptr<Node>> DrainNode(Txn& txn, NodeId id, DrainOrder order);
Result<Ptr<Node>> ResumeNode(Txn& txn, NodeId id);

// Its time has come. Nothing happens if the order has changed since.
void EndDrain(Txn& txn, NodeId id);

}  // namespace yard::control

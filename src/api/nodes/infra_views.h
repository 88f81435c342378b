// What the routes on clusters, node pools and nodes share: views of the state and ids in paths.
#pragma once

#include "api/handler.h"
#include "control/state/state.h"
#include "control/state/wait_board.h"
#include "wire/infra.h"

namespace yard::api {

// The board says which clusters are out of contact.
wire::ClusterView ViewOf(const control::State& state, const control::WaitBoard& board,
                         const Cluster& cluster, Time now);
wire::NodePoolView ViewOf(const control::State& state, const NodePool& pool);
std::string PoolNameOf(const control::State& state, const Node& node);
wire::NodeNames NamesOf(const control::State& state, const Node& node);

// Machines have no scope below their cluster: who may read such a resource anywhere inside a
// cluster sees all of that cluster's.
bool SeesInside(const Call& call, Resource resource, ClusterId cluster);
// The same as a check for a single object; kForbidden if not.
Status RequireInside(Call& call, ClusterId cluster);

// The id in the path; kNotFound if it cannot be one.
Result<ClusterId> ClusterIdOf(const Call& call);
Result<NodePoolId> NodePoolIdOf(const Call& call);
Result<NodeId> NodeIdOf(const Call& call);

}  // namespace yard::api

// The scheduler's tables as a State fills them: pools, nodes, queues, users; all but workloads.
//
// Only nodes that an engine runs tasks on are in them. Pure; a value.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "control/state/state.h"
#include "model/attempt.h"
#include "sched/snapshot.h"

namespace yard::control {

// Words that workloads use and no node carries; they need rows in the tables all the same.
struct ExtraWords {
  std::set<std::string> labels;
  std::set<std::string> extended;
  std::set<std::string> topologies;  // keys of labels that keep the tasks of a workload together

  std::size_t size() const { return labels.size() + extended.size() + topologies.size(); }
  void Take(ExtraWords& more) {
    labels.merge(more.labels);
    extended.merge(more.extended);
    topologies.merge(more.topologies);
  }
};

struct SchedTables {
  sched::Snapshot snapshot;

  std::vector<NodePoolId> pool_ids;  // by PoolIndex
  std::unordered_map<std::string, sched::PoolIndex> pools;
  std::unordered_map<std::string, sched::NodeIndex> nodes;
  std::vector<std::vector<std::string>> gpus;  // by NodeIndex: UUIDs by position
  std::map<ProjectId, sched::QueueIndex> projects;
  std::vector<ReservationId> reservations;  // by row of the snapshot
  std::unordered_map<std::string, sched::UserIndex> users;
  std::unordered_map<std::string, sched::LabelIndex> labels;
  std::unordered_map<std::string, sched::ExtendedIndex> extended;
  // By key of a label: the level whose domains are its values; nothing if no node has the label.
  std::map<std::string, std::optional<std::int8_t>, std::less<>> levels;
  std::vector<Taint> taints;  // those nodes have, each once
};

SchedTables MakeTables(const State& state, ClusterId cluster, const ExtraWords& extra);

// Where tasks of an attempt are, in the scheduler's words. A node that is gone gets a row, down,
// so that what runs there is still accounted for.
sched::TaskPlacement PlacementOf(SchedTables& tables, const TaskPlace& place);
// And back.
TaskPlace PlaceOf(const SchedTables& tables, const sched::TaskPlacement& placement);

// The label of the nodes that are called `name` ("="), or of all others ("!="). Its key has a
// blank, so that no label of a node is the same. Only those that work asks for have rows.
std::string NodeLabel(std::string_view sign, std::string_view name);

// "key=value", as labels and taints are called in the tables.
std::string LabelText(std::string_view key, std::string_view value);

}  // namespace yard::control

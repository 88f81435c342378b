// What open attempts hold, summed by organisation unit, node pool and machine.
//
// A part of the State, which tells it of every attempt that opens or ends and of every change of
// its workload: nobody walks the history to learn who holds what now. Copies are as cheap as the
// State's, and its thread rule holds here too.
//
// Invariant: a sum is there exactly if it is not zero, so that what was undone leaves no trace.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/quantity.h"
#include "base/snapshot_map.h"
#include "model/attempt.h"
#include "model/ids.h"
#include "model/org.h"
#include "model/workload.h"

namespace yard::control {

struct Held {
  MilliGpu gpu;
  MilliCpu cpu;
  Mebibytes memory;
  bool operator==(const Held&) const = default;
  Held& operator+=(const Held& other);
  Held& operator-=(const Held& other);
};

struct UnitHeld {
  Held all;
  Held lasting;  // of that, by work that nobody may preempt
  bool operator==(const UnitHeld&) const = default;
};

class Holdings {
 public:
  // What was added must be taken away with the same attempt and workload.
  void Add(const Attempt& attempt, const Workload& workload);
  void Remove(const Attempt& attempt, const Workload& workload);

  // In one pool, or in all.
  using Pool = std::optional<NodePoolId>;
  UnitHeld Of(const Project& project, Pool pool = std::nullopt) const;
  UnitHeld Of(const Department& department, Pool pool = std::nullopt) const;
  Held On(const Node& node) const;

 private:
  using UnitKey = std::tuple<DepartmentId, ProjectId, NodePoolId>;
  using NodeKey = std::pair<ClusterId, std::string>;
  enum class Sign { kPlus, kMinus };
  void Change(const Attempt& attempt, const Workload& workload, Sign sign);
  template <class Within>
  UnitHeld Sum(const UnitKey& first, Pool pool, Within within) const;

  SnapshotMap<UnitKey, UnitHeld> by_unit_;
  SnapshotMap<NodeKey, Held> by_node_;
};

// What an attempt of the workload holds, all places together.
Held HeldOf(const Attempt& attempt, const Workload& workload);

// Whether an attempt of the workload holds the same after the change, and for the same unit.
bool HoldsTheSame(const Workload& before, const Workload& after);

}  // namespace yard::control

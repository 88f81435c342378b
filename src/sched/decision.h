// The shared workbench of the steps of one decision. Internal to sched.
//
// Thread rule: one thread; lives for one Decide.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sched/backfill/holds.h"
#include "sched/backfill/kept.h"
#include "sched/core/trial.h"
#include "sched/order/walk.h"
#include "sched/plan.h"

namespace yard::sched {

// A person, or where nobody is named the queue.
using PersonKey = std::pair<UserIndex, QueueIndex>;

// Whether work that makes room leaves the places of protected heads alone.
enum class HeadRight : std::uint8_t { kSpared, kYield };

struct Decision {
  explicit Decision(Core& c);

  Core& core;
  Trial trial;
  Plan plan;
  std::vector<Cursor> cursors;    // by line: what is not started yet
  std::size_t longest_order = 0;  // pools that some waiting line tries in turn

  // What refused a spec (placement) or a line (admission) in a pool. Since a plan only ever takes
  // what is free, a refusal stands until something is evicted.
  std::vector<std::optional<Reason>> spec_refusals;  // [spec x pool]
  std::vector<std::optional<Reason>> line_refusals;  // [line x pool]

  std::vector<bool> evicted;  // by workload: whole or in part, or moved
  // Per set of victims: the first that may be left.
  std::map<const std::set<VictimKey>*, std::set<VictimKey>::const_iterator> victims_left;

  std::list<TaskShape> held_shapes;  // what promised places keep back, for the trial
  Kept kept;                         // for advance reservations
  std::optional<Holds> holds;        // with backfill
  HeadRight head_right = HeadRight::kSpared;
  std::vector<WorkloadIndex> heads;                        // whose starts are protected
  std::set<PersonKey> people;                              // those with a head
  std::vector<std::pair<LineIndex, Cursor>> before_heads;  // lines that go on behind their heads

  std::optional<Reason>& SpecRefusal(SpecIndex spec, PoolIndex pool);
  std::optional<Reason>& LineRefusal(LineIndex line, PoolIndex pool);
  Cursor& CursorOf(LineIndex line);
  // What the next workload of a line asks of the queues.
  Booking BookingFor(LineIndex line, PoolIndex pool) const;
  // What the queues or a reservation say against the next workload of a line.
  std::optional<Reason> Refusal(LineIndex line, PoolIndex pool) const;
  // Books and records the start of the next workload of a line, whose tasks are taken already.
  void Start(LineIndex line, PoolIndex pool, std::vector<TaskPlacement> tasks, StartKind kind);
};

}  // namespace yard::sched

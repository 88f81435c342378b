// Backfill: waiting workloads get a planned start and a place for it, and nobody may start now who
// would still stand there then, or would hold what a limit leaves for it. Internal to sched.
//
// The plan is made by letting running workloads end when their limits or learned run times say,
// one after the other, until the waiting one fits. Work of unknown length is taken to need as long
// again as it has run so far; a place that depends on it is held only if it should be free soon.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "sched/backfill/headroom.h"
#include "sched/core/trial.h"
#include "sched/place/gang.h"

namespace yard::sched {

// Amounts on one node.
struct NodeShare {
  NodeIndex node;
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::vector<std::int16_t> gpus;  // by GPU of the node
};

// Who asks, and for what.
struct Wish {
  WorkloadIndex workload;
  const Spec& spec;
  Booking booking;
};

// What a planned start must stand on.
enum class Standing : std::uint8_t { kBorrowed, kGuaranteed };

// Which holds a start leaves alone.
enum class Beside : std::uint8_t { kAll, kGuaranteed };

class Holds {
 public:
  Holds(Core& core, Trial& trial) : core_(core), trial_(trial) {}

  // Whether the books leave what the holds will need, if the workload starts now.
  bool Allows(const Wish& wish, Beside beside = Beside::kAll);
  // Places the workload now, beside all holds it would meet in its lifetime.
  GangResult Place(const Wish& wish, Beside beside = Beside::kAll);
  // The earliest start of a workload that does not fit now, within its guarantee if there is such
  // a one soon; its place is held from then on.
  std::optional<Time> PlanLater(const Wish& wish);
  // The same, if there is one before `before`.
  bool PlanSooner(const Wish& wish, Time before, Standing least);
  // Holds a place that was planned earlier; false if it will not be free then.
  bool Keep(const Wish& wish, const HeldStart& start);
  // Gives the workload's place up.
  void Drop(WorkloadIndex workload);
  // What is held for the workload.
  std::optional<HeldStart> Of(WorkloadIndex workload) const;
  // Whether it would then hold more than it is guaranteed.
  bool Borrows(WorkloadIndex workload) const;

  // A promised workload takes these amounts, besides those taken for it, once others have left.
  void Promised(const Workload& workload, std::vector<NodeShare> rest);
  // A workload of this plan starts now and ends some day.
  void Started(const Workload& workload, const Booking& booking, std::vector<TaskPlacement> tasks);

  std::size_t size() const { return holds_.size(); }

  using Spares = std::function<bool(WorkloadIndex)>;  // whose place is to be left alone
  // Takes what is free now of these places, so that room which is made lies elsewhere; Unguard
  // gives it back.
  void Guard(const Spares& spares);
  void Unguard();
  // Whether the running workload stands on one of them.
  bool StandsOn(const Workload& running, const Spares& spares) const;

 private:
  struct Hold {
    WorkloadIndex workload = kNone<WorkloadIndex>;  // none: a promised one
    const Spec* spec = nullptr;
    Booking booking = {};
    Time start;
    Time end;
    std::vector<TaskPlacement> tasks = {};
    std::vector<NodeShare> then = {};  // what it takes when it starts
    std::vector<NodeShare> free = {};  // of what is free on these nodes by then
    Headroom room = {};
  };
  struct End {
    Time at;
    WorkloadId id;
    const Workload* workload;
    std::vector<TaskPlacement> tasks;
    std::optional<Booking> booking;  // none: its queue does without it already
    bool guessed = false;            // nobody knows how long it takes
  };
  Time EndOf(Time start, Micros duration) const;
  // Most decisions plan nothing, so ends are looked up when the first one does.
  void FindEnds();
  void Meet(Time from, Time until, Beside beside = Beside::kAll);
  void Take(const NodeShare& share);
  std::vector<NodeShare> SharesOf(const Spec& spec, const std::vector<TaskPlacement>& tasks) const;
  NodeShare FreeOn(NodeIndex node) const;
  std::vector<Time> TimesOfChange() const;
  void ReleaseEnded(std::size_t& next, Time at);
  // Whether what is certain to end by then, with what is likely to end soon, makes this place free.
  bool Relies(const std::vector<TaskPlacement>& tasks, std::size_t ended, Time at) const;
  bool FitsBooks(const Wish& wish, Hold& hold);
  bool CanTakeAll(const Wish& wish, const std::vector<TaskPlacement>& tasks);
  // Tries the moment, up to which ends are released: on these tasks, or wherever there is room.
  std::optional<Hold> TryAt(const Wish& wish, Time at, const std::vector<TaskPlacement>* tasks);
  struct Search {
    std::optional<Time> from = std::nullopt;
    std::optional<Time> before = std::nullopt;
    Standing least = Standing::kBorrowed;
    const std::vector<TaskPlacement>* tasks = nullptr;  // none: wherever there is room
  };
  std::optional<Time> PlanFrom(const Wish& wish, const Search& search);
  bool FitsNow(const Hold& hold);
  void Add(Hold hold);
  // What must be left free of its place before it starts: what nobody else will have freed by then.
  std::vector<NodeShare> NeededOf(const Hold& hold) const;

  Core& core_;
  Trial& trial_;
  std::vector<End> ends_;  // sorted by time once all are found
  bool found_ends_ = false;
  std::vector<Hold> holds_;
  std::deque<TaskShape> shapes_;  // of what holds take, for the trial
  std::vector<std::pair<const TaskShape*, TaskPlacement>> guard_;
};

}  // namespace yard::sched

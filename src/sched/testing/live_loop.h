// The live loop without threads: decides, commits, lets tasks start and stop, decides again.
//
// It follows the rules by which the control plane carries out a plan. Work that starts now starts.
// Work that others are evicted for is promised its place; the evicted stop after a random number
// of turns, as grace periods end, and wait again. Work that is moved, grown or shrunk stops in the
// same way and starts again on the place that is held for it. Work over its time is gone. Nothing
// else happens: nobody submits, nothing completes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "sched/scheduler.h"

namespace yard::sched {

// What becomes of a place that work was evicted from.
enum class Places : std::uint8_t {
  kHeld,    // it is kept for the workload it was cleared for
  kForAll,  // whoever comes first in the next decision has it
};

class LiveLoop {
 public:
  LiveLoop(Scheduler scheduler, Places places, std::uint64_t seed);

  // One turn; false if nothing happened and nobody is leaving.
  bool Turn();
  // Turns until nothing happens any more; false if that took more than so many.
  bool Settles(int most_turns);
  void Advance(Micros span);

  Scheduler& scheduler() { return scheduler_; }
  // By workload id: how often it was started, and evicted.
  std::map<WorkloadId, int> starts;
  std::map<WorkloadId, std::vector<Time>> evictions;
  std::string history;  // the plans, one line each
  std::string error;    // the first step that could not be carried out

 private:
  struct Leaver {
    WorkloadIndex victim;
    int turns;
  };
  void Carry(const Plan& plan);
  void Evict(const Plan& plan, const sched::Start& start);
  void LetLeave(WorkloadIndex victim);
  void LetStop();
  void Note(const Status& status);

  Scheduler scheduler_;
  Places places_;
  SeededRandom random_;
  std::vector<Leaver> leavers_;
};

}  // namespace yard::sched

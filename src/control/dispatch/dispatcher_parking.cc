// How the dispatcher has the memory of work moved: off its GPUs when that is asked for, and back
// when it was resumed and finds them free.
#include <algorithm>

#include "control/dispatch/dispatcher.h"

namespace yard::control {
namespace {

constexpr Micros kLongestReturnPause = Minutes(5);
constexpr Micros kMovePause = Seconds(10);

// The first to be resumed is the first to go.
struct Returner {
  Ptr<Workload> workload;
  Ptr<Attempt> attempt;
  Time since;
  auto order() const { return std::pair(since, workload->id); }
};

}  // namespace

// Also called for what a server left half done: the engine takes both calls once more.
void Dispatcher::Move(const Attempt& attempt) {
  const Residence from = attempt.residence;
  if (from == Residence::kOnGpu || from == Residence::kAway || attempt.stop) return;
  Ask(MoveMemory{attempt.id, from});
}

void Dispatcher::TakeMoved(const std::vector<Moved>& moved, Time now) {
  moved_.insert(moved_.end(), moved.begin(), moved.end());
  for (const Moved& one : moved) {
    if (IsUndecided(one)) {
      move_again_.emplace(now + kMovePause, one.attempt);
      continue;
    }
    auto at = open_.find(one.attempt);
    if (at == open_.end() || one.from != Residence::kReturning) continue;
    Open& open = at->second;
    if (one.outcome) {
      open.return_pause = kReturnPause;
      open.resumed_at.reset();
    } else {
      open.return_after = now + open.return_pause;
      open.return_pause = std::min(open.return_pause * 2, kLongestReturnPause);
    }
  }
}

// A new order does not wait for the failed tries before it.
void Dispatcher::TakeResumed(const std::vector<AttemptId>& resumed) {
  for (AttemptId id : resumed) {
    auto at = open_.find(id);
    if (at == open_.end()) continue;
    at->second.return_after = {};
    at->second.return_pause = kReturnPause;
    at->second.resumed_at.reset();
  }
}

void Dispatcher::MoveAgain(Time now) {
  while (!move_again_.empty() && move_again_.begin()->first <= now) {
    auto at = open_.find(move_again_.begin()->second);
    move_again_.erase(move_again_.begin());
    if (at != open_.end()) Move(*at->second.attempt);
  }
}

// Before the plan is made: work that finds its own GPUs free goes first, and nothing is preempted.
void Dispatcher::AddReturns(const State& state, Time now, Cycle& cycle) {
  std::vector<Returner> waiting;
  for (AttemptId id : away_) {
    Open& open = open_.at(id);
    if (open.return_after > now) continue;
    open.return_after = {};
    Ptr<Workload> workload = state.Find<Workload>(open.attempt->workload);
    if (!workload || !WaitsForItsGpus(state, *workload)) continue;
    // A failed try begins its phase again, but costs it no turn.
    if (!open.resumed_at) open.resumed_at = workload->phase_since;
    waiting.push_back({workload, state.OpenAttempt(*workload), *open.resumed_at});
  }
  std::ranges::sort(waiting, {}, &Returner::order);
  for (const Returner& one : waiting) {
    if (view_.Return(*one.workload, *one.attempt)) {
      cycle.returns.push_back(one.workload->id);
      decide_ = true;
      continue;
    }
    std::string sentence = decide_ ? WaitSentence(state, *one.workload) : "";
    if (sentence.empty() || sentence == one.workload->phase_message) continue;
    cycle.remarks.push_back({one.workload->id, std::string(kWaitsForItsGpus), sentence});
  }
}

}  // namespace yard::control

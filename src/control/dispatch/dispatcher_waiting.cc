// How the dispatcher tells why work waits: it publishes what follows from the state, and writes
// down only what can never happen any more.
#include <algorithm>

#include "control/dispatch/contact.h"
#include "control/dispatch/dispatcher.h"
#include "control/sched/wait_notes.h"

namespace yard::control {
namespace {

constexpr std::size_t kMostFailures = 256;  // in one cycle, so that they never hold up work
constexpr std::size_t kFew = 32;  // so many are put into words at once, more once a second
constexpr Micros kBetweenLooks = Seconds(1);

}  // namespace

void Dispatcher::AddGated(const State& state, Cycle& cycle) {
  for (auto at = newly_gated_.begin(); at != newly_gated_.end();) {
    auto gate = view_.gated().find(*at);
    Ptr<Workload> workload = state.Find<Workload>(*at);
    if (gate == view_.gated().end() || !workload || gate->second.state != GateState::kNever) {
      at = newly_gated_.erase(at);
      continue;
    }
    if (cycle.failures.size() >= kMostFailures) return;
    cycle.failures.push_back({*at, gate->second.reason, gate->second.message});
    ++at;
  }
}

void Dispatcher::Publish(const State& state, Time now, Orders& orders) {
  if (!remark_ || view_.stale()) return;
  if (published_ > kFew && now < remarked_at_ + kBetweenLooks && now >= remarked_at_) return;
  remark_ = false;
  remarked_at_ = now;
  WaitBoard::Notes notes = NotesOf(view_);
  if (shares_) orders.passed = PassedNow(state, notes);
  AddQueued(notes);
  std::optional<WaitNote> lost;
  if (lost_) lost = LostNote(lost_->since, lost_->why);
  orders.waiting = std::make_shared<const WaitBoard>(cluster_, std::move(notes), std::move(lost));
  published_ = orders.waiting->size();
}

// What other clusters may take: not those that wait for something else than a place, nor those
// that running work leaves its place for.
Passed Dispatcher::PassedNow(const State& state, const WaitBoard::Notes& notes) const {
  Passed passed{.all = lost_.has_value()};
  for (const auto& [id, note] : notes) {
    Ptr<Workload> workload = state.Find<Workload>(id);
    if (!workload || view_.gated().contains(id) || promises_.Of(id)) continue;
    if (ChoicesOf(state, *workload).size() > 1) passed.ids.insert(id);
  }
  return passed;
}

// Work that has a place and waits in the engine's own queue.
void Dispatcher::AddQueued(WaitBoard::Notes& notes) const {
  for (const auto& [id, open] : open_) {
    auto queued =
        std::ranges::find(open.tasks, engine::TaskState::kQueued, &engine::TaskStatus::state);
    if (queued == open.tasks.end()) continue;
    const std::string message =
        queued->detail.empty()
            ? "Waits in the queue of its cluster's own engine."
            : "Waits in the queue of its cluster's own engine: " + queued->detail;
    notes.insert_or_assign(
        open.attempt->workload,
        std::make_shared<const WaitNote>(
            NoteOf({.state = GateState::kOpen, .reason = "QueuedAtEngine", .message = message})));
  }
}

}  // namespace yard::control

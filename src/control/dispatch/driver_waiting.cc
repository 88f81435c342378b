// How the driver tells why work waits: it publishes what follows from the state, and writes down
// only what can never happen any more.
#include "control/dispatch/driver.h"
#include "control/sched/wait_notes.h"

namespace yard::control {
namespace {

constexpr std::size_t kMostFailures = 256;  // in one cycle, so that they never hold up work
constexpr std::size_t kFew = 32;  // so many are put into words at once, more once a second
constexpr Micros kBetweenLooks = Seconds(1);

}  // namespace

void Driver::AddGated(const State& state, Cycle& cycle) {
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

void Driver::PublishWaiting(Time now) {
  if (!remark_ || view_.stale()) return;
  const bool many = waiting_.load()->size() > kFew;
  if (many && now < remarked_at_ + kBetweenLooks) return;
  remark_ = false;
  remarked_at_ = now;
  waiting_.store(std::make_shared<const WaitBoard>(NotesOf(view_)));
}

}  // namespace yard::control

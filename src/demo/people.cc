#include "demo/people.h"

#include <chrono>

#include "base/log.h"
#include "base/random.h"

namespace yard::demo {
namespace {

constexpr Micros kMeanPause = Seconds(15);
constexpr int kShortOfEach = 4;  // of so many jobs, all but one are short
constexpr std::int64_t kFirstNumber = 1000;
constexpr std::uint64_t kSeed = 99;
constexpr std::size_t kEnoughWaiting = 30;

std::size_t Waiting(const control::State& state) {
  std::size_t waiting = 0;
  state.Of<Workload>().Each([&](const Workload& workload) {
    if (workload.phase() == Phase::kPending && !workload.deleted_at) ++waiting;
  });
  return waiting;
}

}  // namespace

BusyPeople::BusyPeople(control::Service& service)
    : service_(service), stream_(kSeed, kFirstNumber), thread_([this] { Loop(); }) {}

BusyPeople::~BusyPeople() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

void BusyPeople::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const Micros pause = stream_.Pause(kMeanPause);
    if (stop_.wait_for(lock, std::chrono::microseconds(pause.value), [&] { return stopping_; }))
      return;
    lock.unlock();
    SubmitNext();
    lock.lock();
  }
}

void BusyPeople::SubmitNext() {
  const bool is_short = ++turn_ % kShortOfEach != 0;
  if (!is_short && Waiting(*service_.Read()) > kEnoughWaiting) return;
  const Submission job = is_short ? stream_.NextShort() : stream_.Next();
  if (Status submitted = Submit(service_, job); !submitted)
    log::Warning("the demo's people could not submit", {{"error", submitted.error().message}});
}

}  // namespace yard::demo

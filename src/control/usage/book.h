// Keeps what running attempts use: samples over time, and the totals until now.
//
// A thread of its own looks every few seconds at all that runs, so neither the reactor nor the
// driver waits for it, and nothing of it goes through the journal. The series of an attempt lies
// in memory while it runs and in one small file of the folder; files are written together, now
// and then and when an attempt has ended, and go with the record of the attempt. What was sampled
// since the last writing is lost when the server dies; the counters themselves are the engine's
// and are not. A stretch without samples counts as not measured.
//
// Thread-safe. Service and engine must outlive it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "control/service.h"
#include "control/usage/series.h"
#include "engine/engine.h"

namespace yard::control {

struct UsageOptions {
  std::string folder;                     // empty: nothing is kept on disk
  std::optional<ClusterId> cluster = {};  // the work that is looked at; none: all
  Micros between = Seconds(10);
  Micros between_writes = Minutes(1);
};

class UsageBook {
 public:
  UsageBook(Service& service, engine::Engine& engine, UsageOptions options);
  ~UsageBook();
  UsageBook(const UsageBook&) = delete;
  UsageBook& operator=(const UsageBook&) = delete;

  // Begins to look by itself. The engine must have adopted its tasks.
  void Start();
  // One look at all that runs.
  void Look();
  // One look at what began since the last.
  void LookAtYoung();

  // What an attempt that has not ended used until the last look.
  AttemptUse UseOf(AttemptId attempt) const;
  // Empty if nothing was kept: it was too short, or it is too old.
  UsageSeries SeriesOf(AttemptId attempt) const;

 private:
  struct Page {
    UsageSeries series;
    AttemptUse use;
    Time looked_at;  // the last look; none yet: the attempt's start
    bool written = true;
  };

  void Loop();
  std::vector<Ptr<Attempt>> Running() const;
  void Sample(const std::vector<Ptr<Attempt>>& attempts, Time now);
  void Take(const Attempt& attempt, std::span<const engine::TaskUsage> tasks, Time now);
  void CloseEnded(const State& state);
  void Write(Time now);
  void RemoveErased();
  std::string PathOf(AttemptId attempt) const;

  Service& service_;
  engine::Engine& engine_;
  const UsageOptions options_;

  mutable Mutex mutex_;
  CondVar wake_;
  std::unordered_map<AttemptId, Page> pages_ YARD_GUARDED_BY(mutex_);
  std::vector<AttemptId> erased_ YARD_GUARDED_BY(mutex_);
  Time written_at_ YARD_GUARDED_BY(mutex_);
  bool stopping_ YARD_GUARDED_BY(mutex_) = false;

  std::unique_ptr<Subscription> subscription_;
  std::thread thread_;
};

// What one look adds: of GPUs held since the look before, how much was measured and busy.
struct GpuShare {
  GpuTime measured;
  GpuTime used;
};
GpuShare ShareOf(const TaskPlace& place, const engine::TaskUsage& usage, Micros since);

// The larger of both, counter by counter: what was sampled, and what tasks counted at their end.
AttemptUse Combine(AttemptUse sampled, const AttemptUse& counted);

}  // namespace yard::control

// A whole server in simulated time, with faults: real state, transactions, dispatcher and scheduler
// on a simulated cluster, disk, clock and network.
//
// Everything random comes from one seed, so that a run can be repeated to the last byte of its
// journal. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/random.h"
#include "control/dispatch/dispatcher.h"
#include "control/launch/spec.h"
#include "serversim/cluster.h"
#include "serversim/direct_service.h"
#include "serversim/disk.h"
#include "serversim/invariants.h"
#include "serversim/people.h"
#include "serversim/schedule.h"

namespace yard::serversim {

struct Options {
  std::uint64_t seed = 1;
  std::int64_t events = 1000;  // of people and faults; what follows from them comes on top
};

struct Report {
  std::uint64_t digest = 0;  // of the journal
  std::int64_t rows = 0;
  std::int64_t submitted = 0;
  std::int64_t attempts = 0;
  std::int64_t crashes = 0;
  std::int64_t failed_commits = 0;
  std::int64_t lost_messages = 0;
  std::int64_t repeated_messages = 0;
  std::int64_t events = 0;  // until the end, or until the invariant broke
  std::string broken;       // the invariant, in one sentence; empty: all held
};

class World {
 public:
  explicit World(const Options& options);
  Report Run();

 private:
  // One life of the server: all of it is gone after a crash.
  struct Life {
    std::unique_ptr<DirectService> service;
    std::unique_ptr<control::Subscription> subscription;
    control::RunTimes run_times;
    control::Promises promises;
    std::unique_ptr<control::Dispatcher> dispatcher;
    control::Inbox inbox;
    bool step_due = false;
    std::uint64_t timer = 0;
    std::map<std::size_t, Time> lanes;  // when the last call of each is made
  };

  void StartServer();
  void Adopt();
  void Crash();
  void StepSoon(Micros delay);
  void StepAt(Time at);
  void Step();
  void Commit(control::Cycle cycle, Time now);
  void Make(const control::EngineOrder& order);
  // To this life of the server, unless it has ended by then.
  void Tell(Micros delay, control::Inbox news);
  // What the network does to a message of the cluster.
  void Carry(const engine::TaskStatus& status);

  void NextEvent();
  void Fault();
  void Check();
  bool Chance(std::uint64_t one_in) { return faults_ && random_.Below(one_in) == 0; }
  Micros UpTo(Micros longest);
  void Settle();

  const Options options_;
  SeededRandom random_;
  SeededRandom ids_;
  Schedule schedule_;
  SteppedClock clock_{schedule_};
  Disk disk_;
  Cluster cluster_;
  People people_;
  Invariants invariants_;
  std::unique_ptr<Life> life_;
  control::Snapshot checked_;
  Time calm_since_;  // when the server was started, or the cluster came back in reach, last
  std::uint64_t lives_ = 0;
  bool faults_ = true;
  control::LaunchContext launch_;
  control::CycleScope scope_;
  Report report_;
};

// One run.
Report Simulate(const Options& options);

}  // namespace yard::serversim

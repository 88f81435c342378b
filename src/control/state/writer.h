// Runs commands on the one mutable State and makes their effects durable, batch by batch.
//
// If a commit fails the whole batch is taken back and every command of it fails. It has no thread:
// the reactor runs it in the server, the simulator runs it directly. One thread.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/pooled_random.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "control/service.h"
#include "store/store.h"

namespace yard::control {

class Writer {
 public:
  struct Job {
    Principal who;
    Origin origin;
    Command command;
  };
  struct Batch {
    std::vector<Status> outcomes;  // of each job
    std::vector<Notice> notices;   // of what became durable, in order
    enum class Commit { kNone, kDone, kFailed } commit = Commit::kNone;
  };

  // All must outlive it.
  Writer(store::Store& store, const Clock& clock, Random& random);

  // Fills the state from the store; first.
  Status Load();
  Batch Run(std::span<Job> jobs);
  // Moves work that came to its end, and was last touched before `before`, into the archive:
  // at most so many, the longest ended first. Returns how many went.
  Result<std::size_t> MoveToArchive(Time before, std::size_t most);
  // The state as it is now, never changed again.
  Snapshot Share() const { return std::make_shared<const State>(state_); }

 private:
  Status RunOne(Job& job, std::vector<store::Entry>& entries);

  store::Store& store_;
  const Clock& clock_;
  State state_;
  PooledRandom ids_;
};

}  // namespace yard::control

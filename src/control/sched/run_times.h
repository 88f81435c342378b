// How long work like this has run before: what plans and forecasts go by where work states no time
// limit.
//
// Learned from runs that were done in one go: the first attempt, completed. Alike is what the same
// person runs in the same project with the same spec, else under the same name; numbers at its end
// do not count. Of the newest runs the upper quartile is taken, since three of four were over by
// then, and rounded up by an eighth at most, so that few different values go round.
//
// Forecasts ask for a range: runs alike without the shortest and the longest fifth. Where nothing
// alike is known, work of the same person, then of the project, then of everybody counts, with the
// shortest and longest tenth left out: a wide range, but a true one.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/time.h"
#include "control/state/state.h"
#include "model/attempt.h"
#include "model/workload.h"

namespace yard::control {

class RunTimes {
 public:
  static constexpr std::size_t kLeast = 3;  // fewer runs teach nothing
  static constexpr std::size_t kKept = 16;  // of each kind of work, the newest

  struct Estimate {
    Micros runtime;
    std::int64_t runs = 0;  // it was learned from
    std::string kind;       // of work; estimates of one kind come from the same runs
  };

  // Between the two most runs end.
  struct Range {
    Micros shortest;
    Micros longest;
    std::int64_t runs = 0;  // it was learned from
    std::string kind;       // as above
  };

  // Every attempt that has ended, then each one that ends. What was added before is left as it is.
  // Of the archive the newest kArchived workloads count.
  static constexpr std::size_t kArchived = 5'000;
  static constexpr std::size_t kKinds = 20'000;  // that are known; the longest unused ones go
  void AddAll(const State& state);
  void Add(const State& state, const Attempt& attempt);

  // Nothing: too few runs like it, or it has a time limit of its own.
  std::optional<Estimate> Of(const Workload& workload) const;
  // The same for a forecast, also of work with a time limit. Nothing: nobody has run three times.
  std::optional<Range> RangeOf(const Workload& workload) const;

 private:
  struct Run {
    AttemptId attempt;
    Micros took;
  };
  struct Known {
    std::vector<Run> runs;                   // oldest first
    std::list<std::string>::iterator place;  // in kinds_
  };
  void Add(const Workload& workload, const Attempt& attempt);
  void Learn(const std::string& kind, const Run& run);  // the lock must be held
  std::optional<Estimate> Find(const std::string& kind) const;
  // Without this many of ten at either end; the lock must be held.
  std::optional<Range> Between(const std::string& kind, std::size_t tenths_cut) const;

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::unordered_map<std::string, Known> known_;
  std::list<std::string> kinds_;  // the longest unused first
};

// A name without the numbers at its end: "train" for "train-2".
std::string_view StemOf(std::string_view name);

}  // namespace yard::control

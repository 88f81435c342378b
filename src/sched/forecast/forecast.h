// When will a waiting workload start? The scheduler itself is run forward in simulated time.
//
// Three runs: one in which running workloads end when experience says (the early bound), one in
// which they use their whole time limit, and one in which they do and whoever had the work that
// ends sends as much again. The later of these two is the late bound: later arrivals may pass what
// has no planned start. Workloads without a limit or experience never end. The basis says how much
// to trust a forecast.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sched {

enum class Basis : std::uint8_t {
  kNow,         // it starts in the plan for this moment
  kRuntimes,    // learned run times and time limits
  kTimeLimits,  // time limits only
  kTurns,       // reservations and guards that end; what runs has no known end
  kUnknown,     // it does not start within the horizon: what runs has no known end
};

struct Forecast {
  std::optional<Time> earliest;
  std::optional<Time> latest;  // none: it may wait for ever if others go on as they do now
  Basis basis = Basis::kUnknown;
};

// Ends that are closer to each other than the grain of that moment are taken as one: in the run
// for the early bound at the first of them, in the other at the last, so that both bounds hold.
enum class Grain : std::uint8_t {
  kExact,
  kCoarse,  // half a minute, or an eighth of the way from now: for large clusters
};

struct Horizon {
  Micros span = Days(30);
  std::int32_t steps = 2000;  // decisions per run
  Grain grain = Grain::kExact;
};

// The same for every workload, by index; those that do not wait get nothing. Three runs in all.
std::vector<Forecast> ForecastAll(const Snapshot& snapshot, const Policy& policy,
                                  const Horizon& horizon);

Forecast ForecastStart(const Snapshot& snapshot, const Policy& policy, WorkloadIndex workload,
                       const Horizon& horizon);

}  // namespace yard::sched

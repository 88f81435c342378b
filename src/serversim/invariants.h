// What must hold after every event of a simulated server, whatever went wrong.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "control/service.h"
#include "control/state/state.h"
#include "model/ids.h"
#include "model/workload.h"
#include "serversim/cluster.h"
#include "serversim/people.h"

namespace yard::serversim {

// When a look is taken, in simulated time.
struct Moment {
  Time now;
  Time calm_since;  // from then on the server was up and could reach the cluster
};

// Remembers what may never change again. One thread.
class Invariants {
 public:
  // The first one that does not hold, in one sentence.
  std::optional<std::string> Broken(const control::Snapshot& state, const Cluster& cluster,
                                    const People& people, Moment at);
  // Also when nothing has gone wrong and nobody has done anything for hours.
  std::optional<std::string> BrokenAtRest(const control::State& state,
                                          const Cluster& cluster) const;

 private:
  std::optional<std::string> CheckBooks(const control::State& state) const;
  std::optional<std::string> CheckQuotas(const control::State& state);
  std::optional<std::string> CheckEnds(const control::State& state, const Cluster& cluster,
                                       Moment at);
  std::optional<std::string> CheckLives(const control::State& state, const People& people);
  // Work that is not as it was at the last look, it or an attempt of it, and work whose submission
  // was acknowledged since then. Found by comparing all objects, not by what the server tells.
  std::set<WorkloadId> Changed(const control::State& state, const People& people);
  std::optional<std::string> CheckLife(const control::State& state, const Workload& workload);

  // The last look; its state keeps what the pointers point to.
  control::Snapshot last_;
  std::vector<const Workload*> workloads_;  // in id order
  std::vector<const Attempt*> attempts_;
  std::set<WorkloadId> acknowledged_;

  std::set<AttemptId> placed_;
  std::map<AttemptId, EndCause> ends_;
  std::map<AttemptId, Time> over_;  // open attempts whose tasks have all ended: since when
  std::map<WorkloadId, Phase> final_;
};

}  // namespace yard::serversim

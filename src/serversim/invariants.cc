#include "serversim/invariants.h"

#include <algorithm>

#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace yard::serversim {
namespace {

using control::State;
using engine::TaskKey;

// The message of an end may be lost. The server asks once a minute, by a clock that may be set
// back.
constexpr Micros kNewsTakes = Minutes(15);

// Adds up once more what the state keeps as sums.
control::Holdings Recount(const State& state) {
  control::Holdings holdings;
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    if (Ptr<Workload> workload = state.Find<Workload>(attempt->workload)) {
      holdings.Add(*attempt, *workload);
    }
  });
  return holdings;
}

// What lasting work of a unit holds beyond its quota, in thousandths of a GPU.
template <class Unit>
std::int64_t BeyondQuota(const State& state, const Unit& unit, NodePoolId pool) {
  auto quota = std::ranges::find(unit.resources, pool, &PoolQuota::pool);
  if (quota == unit.resources.end() || !quota->gpu.deserved) return 0;
  return state.holdings().Of(unit, pool).lasting.gpu.value - quota->gpu.deserved->value;
}

template <class T>
std::vector<const T*> AllOf(const State& state) {
  std::vector<const T*> all;
  all.reserve(state.Of<T>().size());
  state.Of<T>().Each([&](const T& object) { all.push_back(&object); });
  return all;
}

// Calls `note` for each object that is new, gone or another version. Both are in id order.
template <class T, class Note>
void EachChange(const std::vector<const T*>& before, const std::vector<const T*>& after,
                const Note& note) {
  auto old = before.begin();
  for (const T* object : after) {
    for (; old != before.end() && (*old)->id < object->id; ++old) note(**old);
    if (old != before.end() && (*old)->id == object->id) {
      if (*old++ == object) continue;
    }
    note(*object);
  }
  for (; old != before.end(); ++old) note(**old);
}

// A task runs only for an attempt that has not ended: the work would run twice otherwise.
std::optional<std::string> CheckTasks(const State& state, const Cluster& cluster) {
  for (const TaskKey& key : cluster.live()) {
    Ptr<Attempt> attempt = state.Find<Attempt>(key.attempt);
    if (attempt && !attempt->end) continue;
    return fmt::format("rank {} of attempt {} runs after the attempt's end", key.rank,
                       FormatUuid(key.attempt.value));
  }
  return std::nullopt;
}

// Whether an open attempt goes with the phase. Work that is off its GPUs is stopped or waits.
bool GoesWith(const Attempt* open, Phase phase) {
  const bool is_active =
      phase == Phase::kInitializing || phase == Phase::kRunning || phase == Phase::kStopping;
  if (open == nullptr || HoldsGpus(*open)) return (open != nullptr) == is_active;
  return phase != Phase::kRunning && phase != Phase::kInitializing;
}

}  // namespace

// No GPU is booked twice, and the sums by unit are those of the open attempts.
std::optional<std::string> Invariants::CheckBooks(const State& state) const {
  std::map<std::string, std::int64_t> booked;
  std::optional<std::string> broken;
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    if (!HoldsGpus(*attempt)) return;
    for (const TaskPlace& place : attempt->places) {
      for (const std::string& gpu : place.gpus) booked[gpu] += place.each.value;
    }
  });
  for (const auto& [gpu, parts] : booked) {
    if (parts > 1000) return fmt::format("GPU {} is booked for {} thousandths", gpu, parts);
  }
  control::Holdings counted = Recount(state);
  state.Of<Project>().Each([&](const Project& project) {
    control::UnitHeld kept = state.holdings().Of(project);
    if (kept == counted.Of(project) && kept.all.gpu.value >= 0) return;
    broken = fmt::format("project {} holds {} thousandths of a GPU by its sum", project.name,
                         kept.all.gpu.value);
  });
  return broken;
}

// What nobody may preempt is placed within the quotas of its project and department. A quota that
// is lowered later ends nothing.
std::optional<std::string> Invariants::CheckQuotas(const State& state) {
  std::optional<std::string> broken;
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    if (!placed_.insert(attempt->id).second) return;
    Ptr<Workload> workload = state.Find<Workload>(attempt->workload);
    if (!workload || workload->preemptible || HeldBy(*attempt) == MilliGpu(0)) return;
    Ptr<Project> project = state.Find<Project>(workload->project);
    Ptr<Department> department = state.Find<Department>(workload->department);
    if (!project || !department) return;
    const std::int64_t beyond = std::max(BeyondQuota(state, *project, attempt->pool),
                                         BeyondQuota(state, *department, attempt->pool));
    if (beyond > 0) {
      broken = fmt::format("{} is placed {} thousandths of a GPU beyond a quota, for good",
                           workload->name, beyond);
    }
  });
  return broken;
}

// An end is recorded although its message was lost, or the commit that it came with has failed.
std::optional<std::string> Invariants::CheckEnds(const State& state, const Cluster& cluster,
                                                 Moment at) {
  std::map<AttemptId, Time> over;
  std::optional<std::string> broken;
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    for (std::size_t rank = 0; rank < attempt->places.size(); ++rank) {
      if (!cluster.HasEnded({attempt->id, static_cast<std::int32_t>(rank)})) return;
    }
    auto known = over_.find(attempt->id);
    const Time since = known == over_.end() ? at.now : known->second;
    over.emplace(attempt->id, since);
    if (at.now - std::max(since, at.calm_since) <= kNewsTakes) return;
    broken = fmt::format("the end of attempt {} is not recorded after {} minutes",
                         FormatUuid(attempt->id.value), kNewsTakes.value / Minutes(1).value);
  });
  over_ = std::move(over);
  return broken;
}

std::optional<std::string> Invariants::CheckLife(const State& state, const Workload& workload) {
  std::vector<Ptr<Attempt>> attempts = state.AttemptsOf(workload.id);
  for (const Ptr<Attempt>& attempt : attempts) {
    bool newest = attempt == attempts.back();
    if (!attempt->end && !newest) return workload.name + " has two attempts that have not ended";
    if (!attempt->end) {
      if (ends_.contains(attempt->id)) return workload.name + " lost the end of an attempt";
      continue;
    }
    auto [at, is_new] = ends_.try_emplace(attempt->id, attempt->end->cause);
    if (at->second != attempt->end->cause) return workload.name + " ended one attempt twice";
  }
  Ptr<Attempt> open = state.OpenAttempt(workload);
  if (workload.phase() != Phase::kDeleting && !GoesWith(open.get(), workload.phase())) {
    return fmt::format("{} is {} and {} an open attempt{}", workload.name, Name(workload.phase()),
                       open ? "has" : "has not",
                       open && !HoldsGpus(*open) ? " that is off its GPUs" : "");
  }
  if (IsFinal(workload.life)) {
    auto [at, is_new] = final_.try_emplace(workload.id, workload.phase());
    if (at->second != workload.phase()) return workload.name + " changed after its end";
  } else if (workload.phase() != Phase::kDeleting && final_.contains(workload.id)) {
    return workload.name + " came back after its end";
  }
  return std::nullopt;
}

std::set<WorkloadId> Invariants::Changed(const State& state, const People& people) {
  std::set<WorkloadId> changed;
  std::vector<const Workload*> workloads = AllOf<Workload>(state);
  std::vector<const Attempt*> attempts = AllOf<Attempt>(state);
  EachChange(workloads_, workloads, [&](const Workload& workload) { changed.insert(workload.id); });
  EachChange(attempts_, attempts,
             [&](const Attempt& attempt) { changed.insert(attempt.workload); });
  workloads_ = std::move(workloads);
  attempts_ = std::move(attempts);
  while (acknowledged_.size() < people.submitted().size()) {
    const WorkloadId id = people.submitted()[acknowledged_.size()];
    YARD_CHECK(acknowledged_.insert(id).second);
    changed.insert(id);
  }
  return changed;
}

std::optional<std::string> Invariants::CheckLives(const State& state, const People& people) {
  for (WorkloadId id : Changed(state, people)) {
    if (!acknowledged_.contains(id)) continue;
    Ptr<Workload> workload = state.Find<Workload>(id);
    if (!workload) {
      if (people.HasDeleted(id)) continue;
      return "an acknowledged submission is gone";
    }
    if (auto broken = CheckLife(state, *workload)) return broken;
  }
  return std::nullopt;
}

std::optional<std::string> Invariants::Broken(const control::Snapshot& state,
                                              const Cluster& cluster, const People& people,
                                              Moment at) {
  if (!cluster.breach().empty()) return cluster.breach();
  if (auto broken = CheckTasks(*state, cluster)) return broken;
  if (auto broken = CheckBooks(*state)) return broken;
  if (auto broken = CheckQuotas(*state)) return broken;
  if (auto broken = CheckEnds(*state, cluster, at)) return broken;
  auto broken = CheckLives(*state, people);
  last_ = state;
  return broken;
}

std::optional<std::string> Invariants::BrokenAtRest(const State& state,
                                                    const Cluster& cluster) const {
  for (const TaskKey& key : cluster.live()) {
    Ptr<Attempt> attempt = state.Find<Attempt>(key.attempt);
    if (!attempt || attempt->end) return "a task runs that nobody wants";
  }
  std::optional<std::string> broken;
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    bool lives = false;
    for (std::size_t rank = 0; rank < attempt->places.size(); ++rank) {
      lives = lives || cluster.live().contains({attempt->id, static_cast<std::int32_t>(rank)});
    }
    if (!lives) broken = "the end of an attempt was lost: none of its tasks runs";
  });
  return broken;
}

}  // namespace yard::serversim

#include "control/usage/holdings.h"

#include "base/check.h"

namespace yard::control {
namespace {

// What the task of that rank takes on its machine. Away, its processes are there all the same.
Held HeldAt(const Attempt& attempt, const Workload& workload, std::size_t rank) {
  const ResourceRequest& request = workload.request;
  const PodRequest& pod = rank == 0 && request.master ? *request.master : request;
  const MilliGpu gpu = HoldsGpus(attempt) ? HeldBy(attempt.places[rank]) : MilliGpu(0);
  return {gpu, pod.cpu, pod.memory};
}

// GPUs are held by place, whatever the request says of them now.
bool SamePod(const PodRequest& a, const PodRequest& b) {
  return a.cpu == b.cpu && a.memory == b.memory;
}

template <class Map, class Change>
void Update(Map& map, const auto& key, Change change) {
  const auto* found = map.Find(key);
  auto sum = found ? *found : std::remove_cvref_t<decltype(*found)>{};
  change(sum);
  if (sum == decltype(sum){}) {
    map.Erase(key);
  } else {
    map.Put(key, sum);
  }
}

void AddTo(UnitHeld& sum, const UnitHeld& more) {
  sum.all += more.all;
  sum.lasting += more.lasting;
}

}  // namespace

Held& Held::operator+=(const Held& other) {
  gpu += other.gpu;
  cpu += other.cpu;
  memory += other.memory;
  return *this;
}

Held& Held::operator-=(const Held& other) {
  gpu -= other.gpu;
  cpu -= other.cpu;
  memory -= other.memory;
  // Nothing is taken away that was not added before.
  YARD_CHECK(gpu.value >= 0);
  YARD_CHECK(cpu.value >= 0);
  YARD_CHECK(memory.value >= 0);
  return *this;
}

void Holdings::Add(const Attempt& attempt, const Workload& workload) {
  Change(attempt, workload, Sign::kPlus);
}

void Holdings::Remove(const Attempt& attempt, const Workload& workload) {
  Change(attempt, workload, Sign::kMinus);
}

void Holdings::Change(const Attempt& attempt, const Workload& workload, Sign sign) {
  auto apply = [sign](Held& sum, const Held& part) {
    sign == Sign::kPlus ? sum += part : sum -= part;
  };
  for (std::size_t rank = 0; rank < attempt.places.size(); ++rank) {
    Update(by_node_, NodeKey{workload.host(), attempt.places[rank].node},
           [&](Held& sum) { apply(sum, HeldAt(attempt, workload, rank)); });
  }
  const Held whole = HeldOf(attempt, workload);
  Update(by_unit_, UnitKey{workload.department, workload.project, attempt.pool},
         [&](UnitHeld& sum) {
           apply(sum.all, whole);
           if (!workload.preemptible) apply(sum.lasting, whole);
         });
}

template <class Within>
UnitHeld Holdings::Sum(const UnitKey& first, Pool pool, Within within) const {
  UnitHeld sum;
  by_unit_.EachFrom(first, [&](const UnitKey& key, const UnitHeld& held) {
    if (!within(key)) return false;
    if (!pool || std::get<NodePoolId>(key) == *pool) AddTo(sum, held);
    return true;
  });
  return sum;
}

UnitHeld Holdings::Of(const Project& project, Pool pool) const {
  return Sum({project.department, project.id, NodePoolId{}}, pool,
             [&](const UnitKey& key) { return std::get<ProjectId>(key) == project.id; });
}

UnitHeld Holdings::Of(const Department& department, Pool pool) const {
  return Sum({department.id, ProjectId{}, NodePoolId{}}, pool,
             [&](const UnitKey& key) { return std::get<DepartmentId>(key) == department.id; });
}

Held Holdings::On(const Node& node) const {
  const Held* held = by_node_.Find({node.cluster, node.name});
  return held ? *held : Held{};
}

Held HeldOf(const Attempt& attempt, const Workload& workload) {
  Held whole;
  for (std::size_t rank = 0; rank < attempt.places.size(); ++rank) {
    whole += HeldAt(attempt, workload, rank);
  }
  return whole;
}

bool HoldsTheSame(const Workload& before, const Workload& after) {
  return before.project == after.project && before.department == after.department &&
         before.host() == after.host() && before.preemptible == after.preemptible &&
         SamePod(before.request, after.request) &&
         before.request.master.has_value() == after.request.master.has_value() &&
         (!after.request.master || SamePod(*before.request.master, *after.request.master));
}

}  // namespace yard::control

#include "sched/place/gang.h"

#include <algorithm>
#include <map>

#include "sched/place/diagnose.h"

namespace yard::sched {
namespace {

std::vector<std::int32_t> LargestFirst(const Core& core, const Spec& spec) {
  std::vector<std::int32_t> order(spec.groups.size());
  for (std::size_t g = 0; g < order.size(); ++g) order[g] = static_cast<std::int32_t>(g);
  if (order.size() < 2) return order;  // the usual case: a sort would allocate
  const auto size = [&](std::int32_t g) {
    return CostOf(core.ShapeAt(spec.groups[static_cast<std::size_t>(g)].shape), 1, Mebibytes(1))
        .Values();
  };
  std::ranges::stable_sort(order,
                           [&](std::int32_t a, std::int32_t b) { return size(a) > size(b); });
  return order;
}

// One attempt inside one scope.
struct Attempt {
  Core& core;
  Trial& trial;
  const Spec& spec;
  PoolIndex pool;
  Failure failure = {};

  std::optional<std::vector<TaskPlacement>> In(const Scope& scope) {
    const Trial::Mark mark = trial.Here();
    std::vector<TaskPlacement> tasks;
    for (const std::int32_t g : LargestFirst(core, spec)) {
      const TaskGroup& group = spec.groups[static_cast<std::size_t>(g)];
      for (std::int32_t i = 0; i < group.count; ++i) {
        Found found = FindPlace(core.snapshot(), core.nodes(), group.shape, pool, scope);
        if (!found.at) {
          failure = {group.shape, found.gap, static_cast<std::int32_t>(tasks.size())};
          trial.RollBack(mark);
          return std::nullopt;
        }
        found.at->group = g;
        trial.Take(core.ShapeAt(group.shape), *found.at);
        tasks.push_back(*found.at);
      }
    }
    return tasks;
  }
};

using Domain = std::vector<NodeIndex>;

// The domains of a level among the given nodes that have at least `need` free, fullest first.
std::vector<Domain> DomainsOf(const Core& core, std::span<const NodeIndex> nodes, std::int8_t level,
                              std::int64_t need) {
  std::map<DomainIndex, std::pair<std::int64_t, Domain>> domains;
  for (NodeIndex node : nodes) {
    const auto& path = core.snapshot().nodes[static_cast<std::size_t>(node.value)].domains;
    if (static_cast<std::size_t>(level) >= path.size() || !core.nodes().At(node).in_service) {
      continue;
    }
    auto& [free, members] = domains[path[static_cast<std::size_t>(level)]];
    for (const std::int16_t milli : core.nodes().Gpus(node)) free += milli;
    members.push_back(node);
  }
  std::vector<std::pair<std::int64_t, Domain>> order;
  for (auto& [index, domain] : domains) {
    if (domain.first >= need) order.push_back(std::move(domain));
  }
  std::ranges::stable_sort(order, {}, [](const auto& domain) { return domain.first; });
  std::vector<Domain> result;
  for (auto& [free, members] : order) result.push_back(std::move(members));
  return result;
}

Domain NodesOf(const Core& core, PoolIndex pool) {
  Domain nodes;
  for (ClassIndex c : core.nodes().ClassesOf(pool)) {
    const auto& members = core.nodes().Class(c).members;
    nodes.insert(nodes.end(), members.begin(), members.end());
  }
  std::ranges::sort(nodes);
  return nodes;
}

std::optional<std::vector<TaskPlacement>> InSomeDomain(Attempt& attempt,
                                                       std::span<const NodeIndex> nodes,
                                                       std::int8_t level, std::int8_t inner) {
  const std::int64_t need =
      CostIn(attempt.core.snapshot(), attempt.core.nodes(), attempt.spec.groups, attempt.pool)
          .gpu.value;
  for (const Domain& domain : DomainsOf(attempt.core, nodes, level, need)) {
    if (inner > level) {
      if (auto tasks = InSomeDomain(attempt, domain, inner, -1)) return tasks;
    }
    if (auto tasks = attempt.In({.only = domain})) return tasks;
  }
  return std::nullopt;
}

GangResult PlaceByTopology(Attempt& attempt) {
  const Spec& spec = attempt.spec;
  const Domain all = NodesOf(attempt.core, attempt.pool);
  const bool bound = spec.required_level >= 0;
  const std::int8_t level = bound ? spec.required_level : spec.preferred_level;
  if (auto tasks = InSomeDomain(attempt, all, level, bound ? spec.preferred_level : -1)) {
    return {std::move(tasks), {}};
  }
  const Trial::Mark mark = attempt.trial.Here();
  auto tasks = attempt.In({});
  if (!tasks) {
    return {std::nullopt, Diagnose(attempt.core, spec, attempt.pool, attempt.failure)};
  }
  if (!bound) return {std::move(tasks), {}};
  attempt.trial.RollBack(mark);
  return {std::nullopt,
          {.cause = Cause::kTopology, .pool = attempt.pool, .level = spec.required_level}};
}

}  // namespace

GangResult PlaceGang(Core& core, Trial& trial, const Spec& spec, PoolIndex pool) {
  Attempt attempt{core, trial, spec, pool};
  if (spec.required_level >= 0 || spec.preferred_level >= 0) return PlaceByTopology(attempt);
  if (auto tasks = attempt.In({})) return {std::move(tasks), {}};
  return {std::nullopt, Diagnose(core, spec, pool, attempt.failure)};
}

std::optional<TaskPlacement> PlaceOne(Core& core, Trial& trial, const TaskGroup& group,
                                      PoolIndex pool) {
  Found found = FindPlace(core.snapshot(), core.nodes(), group.shape, pool, {});
  if (found.at) trial.Take(core.ShapeAt(group.shape), *found.at);
  return found.at;
}

bool MayFit(const Core& core, const Spec& spec, PoolIndex pool) {
  return std::ranges::all_of(spec.groups, [&](const TaskGroup& group) {
    return FindPlace(core.snapshot(), core.nodes(), group.shape, pool, {}).at.has_value();
  });
}

}  // namespace yard::sched

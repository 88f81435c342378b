#include "tune/samplers/tpe.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "tune/numerics/pareto.h"
#include "tune/samplers/gp_surrogate.h"
#include "tune/samplers/sobol.h"

namespace yard::tune {
namespace {

constexpr std::size_t kStartup = 10;
constexpr std::size_t kCandidates = 24;
constexpr std::size_t kMaxGood = 25;
constexpr std::size_t kTableLevels = 64;  // discrete axes with more are treated as continuous

AxisKind ModelKind(const Axis& axis) {
  bool fine = axis.kind == AxisKind::kDiscrete && axis.levels > kTableLevels;
  return fine ? AxisKind::kContinuous : axis.kind;
}

// Axes with the same condition exist together.
std::vector<std::vector<std::size_t>> GroupsOf(const Space& space, TpeSampler::Model model) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t a = 0; a < space.axes().size(); ++a) {
    const Parameter& parameter = space.parameters()[space.axes()[a].parameter];
    std::string key = model == TpeSampler::Model::kUnivariate ? parameter.name : "";
    if (parameter.condition) {
      key += fmt::format("{}|", parameter.condition->parent);
      for (double v : parameter.condition->values) key += fmt::format("{},", v);
    }
    auto [at, added] = known.emplace(key, groups.size());
    if (added) groups.emplace_back();
    groups[at->second].push_back(a);
  }
  return groups;
}

double CentreOf(const Space& space, AxisKind kind, std::size_t axis, double u) {
  if (kind != AxisKind::kDiscrete) return u;
  return static_cast<double>(space.LevelOf(axis, u));
}

// The prior: all of the axis.
void AddPrior(AxisKernels& kernels, std::size_t levels) {
  bool continuous = kernels.kind == AxisKind::kContinuous;
  kernels.centre.push_back(continuous ? 0.5 : static_cast<double>(levels));
  if (!continuous) return;
  kernels.inverse.push_back(1);
  kernels.log_norm.push_back(LogNormOf(0.5, 1));
}

}  // namespace

std::vector<std::size_t> GoodTrials(const History& history) {
  std::size_t n = history.finished.size();
  auto tenth = static_cast<std::size_t>(std::ceil(0.1 * static_cast<double>(n)));
  if (history.objectives > 1) return ParetoBest(history, tenth);
  std::size_t count = std::min(tenth, kMaxGood);
  std::vector<double> losses = PenalisedLosses(history.finished);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                           [&](std::size_t a, std::size_t b) {
                             return losses[a] != losses[b] ? losses[a] < losses[b] : a < b;
                           });
  order.resize(count);
  std::ranges::sort(order);
  return order;
}

TpeSampler::TpeSampler(const Space& space, Model model)
    : space_(space), groups_(GroupsOf(space, model)), sorted_(space.axes().size()) {}

void TpeSampler::Keep(const History& history) {
  for (; kept_ < history.finished.size(); ++kept_) {
    for (std::size_t a = 0; a < sorted_.size(); ++a) {
      Sorted& sorted = sorted_[a];
      AxisKind kind = ModelKind(space_.axes()[a]);
      double u = history.finished[kept_].x[a];
      sorted.centre.push_back(std::isnan(u) ? u : CentreOf(space_, kind, a, u));
      if (kind != AxisKind::kContinuous) continue;
      sorted.width.push_back(0);
      sorted.log_norm.push_back(0);
      if (std::isnan(u)) continue;
      auto at = std::ranges::upper_bound(sorted.order, u, {},
                                         [&](std::uint32_t i) { return sorted.centre[i]; });
      sorted.order.insert(at, static_cast<std::uint32_t>(kept_));
    }
  }
}

ParzenMixture TpeSampler::Below(const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < good_.size(); ++i) {
    if (good_[i] != 0 && !std::isnan(sorted_[axes[0]].centre[i])) members.push_back(i);
  }
  std::vector<AxisKernels> kernels;
  for (std::size_t a : axes) {
    AxisKernels axis{ModelKind(space_.axes()[a]), a};
    for (std::size_t i : members) {
      axis.centre.push_back(sorted_[a].centre[i]);
    }
    axis.width = CommonWidth(members.size(), axes.size());
    if (axis.kind == AxisKind::kContinuous) {
      std::vector<std::size_t> order(members.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::stable_sort(order, {}, [&](std::size_t k) { return axis.centre[k]; });
      std::vector<double> centres;
      for (std::size_t k : order) centres.push_back(axis.centre[k]);
      std::vector<double> widths = GapWidths(centres);
      axis.inverse.resize(members.size());
      axis.log_norm.resize(members.size());
      for (std::size_t k = 0; k < order.size(); ++k) {
        axis.inverse[order[k]] = 1 / widths[k];
        axis.log_norm[order[k]] = LogNormOf(centres[k], widths[k]);
      }
    }
    AddPrior(axis, space_.axes()[a].levels);
    kernels.push_back(std::move(axis));
  }
  return {space_, std::move(kernels), AgeWeights(members.size())};
}

AxisKernels TpeSampler::AboveContinuous(const History& history, std::size_t axis,
                                        std::span<const std::uint32_t> members,
                                        std::span<const std::size_t> pending) {
  Sorted& sorted = sorted_[axis];
  // Both lists are sorted; together they are the centres in order. Finished trials come first by
  // index.
  std::size_t finished = history.finished.size();
  std::vector<std::pair<double, std::size_t>> order;
  order.reserve(members.size() + pending.size());
  for (std::uint32_t i : sorted.order) {
    if (good_[i] == 0) order.emplace_back(sorted.centre[i], i);
  }
  auto middle = static_cast<std::ptrdiff_t>(order.size());
  for (std::size_t p : pending) order.emplace_back(history.pending[p][axis], finished + p);
  std::sort(order.begin() + middle, order.end());
  std::inplace_merge(order.begin(), order.begin() + middle, order.end());
  std::vector<double> centres;
  centres.reserve(order.size());
  for (const auto& [u, i] : order) centres.push_back(u);
  std::vector<double> widths = GapWidths(centres);
  std::vector<double> pending_width(history.pending.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::size_t i = order[k].second;
    if (i >= finished) {
      pending_width[i - finished] = widths[k];
    } else if (sorted.width[i] != widths[k]) {
      sorted.width[i] = widths[k];
      sorted.log_norm[i] = LogNormOf(order[k].first, widths[k]);
    }
  }
  AxisKernels kernels{AxisKind::kContinuous, axis};
  for (std::uint32_t i : members) {
    kernels.centre.push_back(sorted.centre[i]);
    kernels.inverse.push_back(1 / sorted.width[i]);
    kernels.log_norm.push_back(sorted.log_norm[i]);
  }
  for (std::size_t p : pending) {
    double u = history.pending[p][axis];
    kernels.centre.push_back(u);
    kernels.inverse.push_back(1 / pending_width[p]);
    kernels.log_norm.push_back(LogNormOf(u, pending_width[p]));
  }
  return kernels;
}

ParzenMixture TpeSampler::Above(const History& history, const std::vector<std::size_t>& axes) {
  std::vector<std::uint32_t> members;
  for (std::size_t i = 0; i < good_.size(); ++i) {
    if (good_[i] == 0 && !std::isnan(sorted_[axes[0]].centre[i])) {
      members.push_back(static_cast<std::uint32_t>(i));
    }
  }
  std::vector<std::size_t> pending;
  for (std::size_t p = 0; p < history.pending.size(); ++p) {
    if (!std::isnan(history.pending[p][axes[0]])) pending.push_back(p);
  }
  std::vector<AxisKernels> kernels;
  for (std::size_t a : axes) {
    AxisKernels axis{ModelKind(space_.axes()[a]), a};
    if (axis.kind == AxisKind::kContinuous) {
      axis = AboveContinuous(history, a, members, pending);
    } else {
      for (std::uint32_t i : members) {
        axis.centre.push_back(sorted_[a].centre[i]);
      }
      for (std::size_t p : pending) {
        axis.centre.push_back(CentreOf(space_, axis.kind, a, history.pending[p][a]));
      }
    }
    axis.width = CommonWidth(members.size() + pending.size(), axes.size());
    AddPrior(axis, space_.axes()[a].levels);
    kernels.push_back(std::move(axis));
  }
  return {space_, std::move(kernels), AgeWeights(members.size() + pending.size())};
}

Proposal TpeSampler::Suggest(const History& history, Rng& rng) {
  if (history.finished.size() < kStartup) return SobolSampler(space_).Suggest(history, rng);
  Keep(history);
  good_.assign(history.finished.size(), 0);
  for (std::size_t i : GoodTrials(history)) good_[i] = 1;
  Point point = space_.RandomPoint(rng);
  for (const std::vector<std::size_t>& axes : groups_) {
    ParzenMixture below = Below(axes);
    ParzenMixture above = Above(history, axes);
    std::vector<Point> candidates(kCandidates, point);
    for (Point& candidate : candidates) below.Draw(rng, candidate);
    std::vector<double> good = below.LogDensity(candidates);
    std::vector<double> other = above.LogDensity(candidates);
    std::size_t best = 0;
    for (std::size_t c = 1; c < kCandidates; ++c) {
      if (good[c] - other[c] > good[best] - other[best]) best = c;
    }
    point = candidates[best];
  }
  return {std::move(point), Origin::kTpe};
}

}  // namespace yard::tune

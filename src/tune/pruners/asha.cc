#include "tune/pruners/asha.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace yard::tune {
namespace {

// The value at the rung: the first report at or beyond it, so that trials need not report every
// step.
std::optional<double> AtRung(const Curve& curve, std::int64_t rung) {
  auto at = std::ranges::lower_bound(curve.reports, rung, {}, &Report::step);
  if (at == curve.reports.end() || std::isnan(at->value)) return std::nullopt;
  return at->value;
}

}  // namespace

AshaPruner::AshaPruner(AshaOptions options, int skipped_rungs) : options_(options) {
  double step = static_cast<double>(options.min_steps) * std::pow(options.eta, skipped_rungs);
  for (; step < static_cast<double>(options.max_steps); step *= options.eta) {
    rungs_.push_back(static_cast<std::int64_t>(step));
  }
}

std::optional<std::size_t> AshaPruner::RungOf(const Curve& curve) const {
  if (curve.reports.empty()) return std::nullopt;
  std::optional<std::size_t> reached;
  for (std::size_t r = 0; r < rungs_.size(); ++r) {
    if (curve.reports.back().step >= rungs_[r]) reached = r;
  }
  return reached;
}

bool AshaPruner::AmongBest(std::span<const Curve> curves, std::size_t subject,
                           std::size_t rung) const {
  std::optional<double> own = AtRung(curves[subject], rungs_[rung]);
  if (!own) return false;
  std::size_t reached = 0;
  std::size_t better = 0;
  for (const Curve& other : curves) {
    std::optional<double> value = AtRung(other, rungs_[rung]);
    if (!value) continue;
    ++reached;
    if (*value < *own) ++better;
  }
  std::size_t places = reached / static_cast<std::size_t>(options_.eta);
  if (options_.mode == AshaOptions::Mode::kStop) places = std::max<std::size_t>(places, 1);
  return better < places;
}

Verdict AshaPruner::Judge(std::span<const Curve> curves, std::size_t subject) const {
  const Curve& curve = curves[subject];
  std::optional<std::size_t> rung = RungOf(curve);
  if (!rung) return {};
  // Judged once at each rung: by the report that reaches it.
  bool arrived =
      curve.reports.size() < 2 || curve.reports[curve.reports.size() - 2].step < rungs_[*rung];
  if (!arrived || AmongBest(curves, subject, *rung)) return {};
  Advice advice = options_.mode == AshaOptions::Mode::kPromote ? Advice::kPause : Advice::kStop;
  return {advice, fmt::format("not among the best 1/{} at step {}", options_.eta, rungs_[*rung])};
}

std::vector<TrialNumber> AshaPruner::Promotions(std::span<const Curve> curves) const {
  std::vector<TrialNumber> promoted;
  if (options_.mode != AshaOptions::Mode::kPromote) return promoted;
  // The highest rungs first: what is nearest to its end is finished first.
  for (std::size_t r = rungs_.size(); r-- > 0;) {
    std::vector<double> reached;
    std::vector<std::pair<double, std::size_t>> waiting;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      std::optional<double> value = AtRung(curves[i], rungs_[r]);
      if (!value) continue;
      reached.push_back(*value);
      if (curves[i].state == TrialState::kPruned && RungOf(curves[i]) == r) {
        waiting.emplace_back(*value, i);
      }
    }
    std::ranges::sort(reached);
    std::ranges::sort(waiting);
    const auto places =
        static_cast<std::ptrdiff_t>(reached.size() / static_cast<std::size_t>(options_.eta));
    for (const auto& [value, i] : waiting) {
      if (std::ranges::lower_bound(reached, value) - reached.begin() >= places) break;
      promoted.push_back(curves[i].trial);
    }
  }
  return promoted;
}

HyperbandPruner::HyperbandPruner(AshaOptions options) {
  double range = static_cast<double>(options.max_steps) / static_cast<double>(options.min_steps);
  auto count = static_cast<int>(std::floor(std::log(range) / std::log(options.eta) + 1e-9)) + 1;
  for (int s = 0; s < count; ++s) {
    brackets_.emplace_back(options, s);
    // Every bracket gets about the same steps in all: the more it stops, the more trials.
    int rungs = count - s;
    auto share = static_cast<std::size_t>(
        std::ceil(count * std::pow(options.eta, rungs - 1) / static_cast<double>(rungs)));
    std::size_t least = 1;
    turns_.insert(turns_.end(), std::max(least, share), static_cast<std::size_t>(s));
  }
}

std::size_t HyperbandPruner::BracketOf(TrialNumber trial) const {
  // A fixed shuffle, so that no bracket has to wait for the others' turns.
  std::uint64_t mixed = static_cast<std::uint64_t>(trial.value + 1) * 0x9E3779B97F4A7C15ULL;
  mixed ^= mixed >> 32;
  return turns_[mixed % turns_.size()];
}

Verdict HyperbandPruner::Judge(std::span<const Curve> curves, std::size_t subject) const {
  std::size_t bracket = BracketOf(curves[subject].trial);
  std::vector<Curve> own;
  std::size_t at = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (BracketOf(curves[i].trial) != bracket) continue;
    if (i == subject) at = own.size();
    own.push_back(curves[i]);
  }
  return brackets_[bracket].Judge(own, at);
}

}  // namespace yard::tune

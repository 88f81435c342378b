#include "tune/pruners/pruner.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace yard::tune {
namespace {

// How many of the curves dominate `subject` at the step: less is better.
double DominatedBy(std::span<const std::vector<Curve>> objectives, std::size_t subject,
                   std::int64_t step) {
  double count = 0;
  for (std::size_t other = 0; other < objectives[0].size(); ++other) {
    bool no_worse = true;
    bool better = false;
    for (const std::vector<Curve>& curves : objectives) {
      std::optional<double> mine = ValueAt(curves[subject], step);
      std::optional<double> theirs = ValueAt(curves[other], step);
      no_worse = no_worse && mine && theirs && *theirs <= *mine;
      better = better || (mine && theirs && *theirs < *mine);
    }
    if (no_worse && better) ++count;
  }
  return count;
}

}  // namespace

void AddReport(std::vector<Report>& reports, const Report& report) {
  auto at = std::ranges::lower_bound(reports, report.step, {}, &Report::step);
  if (at == reports.end() || at->step != report.step) reports.insert(at, report);
}

std::optional<double> ValueAt(const Curve& curve, std::int64_t step) {
  auto at = std::ranges::lower_bound(curve.reports, step, {}, &Report::step);
  if (at == curve.reports.end() || at->step != step) return std::nullopt;
  return at->value;
}

std::optional<double> BestUpTo(const Curve& curve, std::int64_t step) {
  std::optional<double> best;
  for (const Report& report : curve.reports) {
    if (report.step > step) break;
    if (std::isnan(report.value)) return std::nullopt;
    best = best ? std::min(*best, report.value) : report.value;
  }
  return best;
}

std::vector<Curve> CurvesOf(std::span<const Trial> trials, double sign) {
  std::vector<Curve> curves;
  for (const Trial& trial : trials) {
    Curve curve{trial.number, trial.state, trial.reports};
    for (Report& report : curve.reports) report.value *= sign;
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<Curve> RankCurves(std::span<const std::vector<Curve>> objectives) {
  std::vector<Curve> ranks = objectives.empty() ? std::vector<Curve>() : objectives[0];
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (Report& report : ranks[i].reports) report.value = DominatedBy(objectives, i, report.step);
  }
  return ranks;
}

}  // namespace yard::tune

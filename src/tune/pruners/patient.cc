#include "tune/pruners/patient.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace yard::tune {

Verdict PatientPruner::Judge(std::span<const Curve> curves, std::size_t subject) const {
  std::span<const Report> reports = curves[subject].reports;
  std::size_t window = options_.patience + 1;
  if (reports.size() <= window) return {};
  auto least = [](std::span<const Report> part) {
    double best = std::numeric_limits<double>::infinity();
    for (const Report& report : part) best = std::min(best, report.value);
    return best;
  };
  double before = least(reports.first(reports.size() - window));
  double lately = least(reports.last(window));
  if (!(before + options_.min_delta < lately)) return {};
  if (inner_) return inner_->Judge(curves, subject);
  return {Advice::kStop,
          fmt::format("no improvement on {} for {} reports", before, options_.patience)};
}

}  // namespace yard::tune

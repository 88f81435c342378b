#include "control/study/log_scan.h"

#include <algorithm>
#include <utility>

namespace yard::control {
namespace {

// A line that is longer holds no report: it is passed over in pieces.
constexpr std::size_t kLongestLine = 1 << 20;

}  // namespace

std::optional<TrialValues> ValuesOf(const std::vector<std::string>& metrics,
                                    const track::LineMetrics& line) {
  TrialValues values{.step = line.step, .values = {}};
  values.values.resize(metrics.size());
  bool any = false;
  for (const auto& [name, value] : line.values) {
    auto at = std::ranges::find(metrics, name);
    if (at == metrics.end()) continue;
    values.values[static_cast<std::size_t>(at - metrics.begin())] = value;
    any = true;
  }
  if (!any) return std::nullopt;
  return values;
}

Result<LogScanner> LogScanner::Make(const StudySpec& spec) {
  LogScanner scanner;
  for (const StudyObjective& objective : spec.objectives) {
    scanner.metrics_.push_back(objective.metric);
  }
  if (!spec.pattern.empty()) {
    YARD_ASSIGN(scanner.pattern_, track::LinePattern::Parse(spec.pattern));
  }
  return scanner;
}

std::optional<TrialValues> LogScanner::ReadLine(std::string_view line) const {
  std::optional<track::LineMetrics> metrics =
      pattern_ ? pattern_->Match(line) : track::JsonLineMetrics(line);
  if (!metrics) return std::nullopt;
  return ValuesOf(metrics_, *metrics);
}

LogScan LogScanner::Scan(std::string_view text, LogTail tail) const {
  LogScan scan;
  while (scan.consumed < text.size()) {
    std::string_view rest = text.substr(scan.consumed);
    std::size_t end = rest.find('\n');
    const bool whole = end != rest.npos;
    if (!whole && tail == LogTail::kMayGrow && rest.size() < kLongestLine) break;
    std::string_view line = whole ? rest.substr(0, end) : rest;
    if (std::optional<TrialValues> values = ReadLine(line)) {
      scan.reports.push_back(*std::move(values));
    }
    scan.consumed += whole ? end + 1 : rest.size();
  }
  return scan;
}

}  // namespace yard::control

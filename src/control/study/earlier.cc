#include "control/study/earlier.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "wire/study.h"

namespace yard::control {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

bool IsNumeric(const StudyParameter& parameter) {
  return parameter.kind == ParameterKind::kFloat || parameter.kind == ParameterKind::kInt;
}

// The value as the other study's parameter writes it; nothing if it has none like it.
std::optional<double> Translated(const StudyParameter& from, double value,
                                 const StudyParameter& to) {
  if (IsNumeric(from) && IsNumeric(to)) return value;
  const std::string text = wire::ParameterText(from, value);
  auto choice = std::ranges::find(to.choices, text, &ParameterChoice::text);
  if (choice == to.choices.end()) return std::nullopt;
  return static_cast<double>(choice - to.choices.begin());
}

std::optional<std::vector<double>> ValuesFor(const StudySpec& spec, const StudySpec& old,
                                             const StudyTrial& trial) {
  std::vector<double> values;
  for (const StudyParameter& parameter : spec.parameters) {
    auto same = std::ranges::find(old.parameters, parameter.name, &StudyParameter::name);
    const auto at = static_cast<std::size_t>(same - old.parameters.begin());
    const bool known = at < trial.values.size() && !std::isnan(trial.values[at]);
    std::optional<double> value;
    if (known) value = Translated(*same, trial.values[at], parameter);
    if (parameter.kind == ParameterKind::kConstant) value = 0;
    if (!value && !parameter.when) return std::nullopt;
    values.push_back(value.value_or(kAbsent));
  }
  return values;
}

std::optional<std::vector<double>> ResultsFor(const StudySpec& spec, const StudySpec& old,
                                              const std::vector<double>& means) {
  std::vector<double> results;
  for (const StudyObjective& objective : spec.objectives) {
    auto same = std::ranges::find(old.objectives, objective.metric, &StudyObjective::metric);
    const auto at = static_cast<std::size_t>(same - old.objectives.begin());
    if (at >= means.size()) return std::nullopt;
    results.push_back(means[at]);
  }
  return results;
}

struct Sum {
  std::vector<double> values;
  double count = 0;
};

}  // namespace

std::vector<EarlierResult> EarlierResults(const StudyView& before, const StudySpec& spec) {
  std::map<std::int64_t, Sum> sums;  // by the first trial of a configuration
  for (const auto& trial : before.trials) {
    if (trial->phase != TrialPhase::kComplete) continue;
    Sum& sum = sums[trial->repeat_of.value_or(trial->number)];
    sum.values.resize(trial->results.size());
    for (std::size_t i = 0; i < trial->results.size(); ++i) sum.values[i] += trial->results[i];
    sum.count += 1;
  }
  std::vector<EarlierResult> out;
  std::set<std::string> taken;
  for (auto& [first, sum] : sums) {
    for (double& value : sum.values) value /= sum.count;
    const StudyTrial& trial = *before.trials[static_cast<std::size_t>(first)];
    auto values = ValuesFor(spec, before.study.spec, trial);
    auto results = ResultsFor(spec, before.study.spec, sum.values);
    if (!values || !results) continue;
    // Without its other parameters two configurations may be one.
    StudyTrial shown{.values = *values};
    if (!taken.insert(wire::ParametersJson(spec, shown)).second) continue;
    out.push_back({.values = *std::move(values), .results = *std::move(results)});
  }
  return out;
}

}  // namespace yard::control

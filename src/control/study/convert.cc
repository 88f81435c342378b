#include "control/study/convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tune/pruners/asha.h"
#include "tune/pruners/patient.h"
#include "tune/pruners/pbt.h"
#include "tune/pruners/percentile.h"
#include "tune/pruners/threshold.h"
#include "tune/pruners/wilcoxon.h"

namespace yard::control {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// The words that records keep.
constexpr std::array<std::pair<tune::Origin, std::string_view>, 12> kOrigins{{
    {tune::Origin::kGiven, "given"},
    {tune::Origin::kRandom, "random"},
    {tune::Origin::kGrid, "grid"},
    {tune::Origin::kSobol, "sobol"},
    {tune::Origin::kTpe, "tpe"},
    {tune::Origin::kGp, "gp"},
    {tune::Origin::kLocal, "local"},
    {tune::Origin::kEvolution, "evolution"},
    {tune::Origin::kRepeat, "repeat"},
    {tune::Origin::kSpread, "spread"},
    {tune::Origin::kEarlier, kEarlierOrigin},
    {tune::Origin::kPbt, "pbt"},
}};

std::string_view WordOf(tune::Origin origin) {
  for (const auto& [value, word] : kOrigins) {
    if (value == origin) return word;
  }
  return "given";
}

tune::Origin OriginOf(std::string_view word) {
  for (const auto& [value, known] : kOrigins) {
    if (known == word) return value;
  }
  return tune::Origin::kGiven;
}

tune::SamplerKind SamplerOf(StudySampler sampler) {
  switch (sampler) {
    case StudySampler::kAuto:
      return tune::SamplerKind::kAuto;
    case StudySampler::kRandom:
      return tune::SamplerKind::kRandom;
    case StudySampler::kGrid:
      return tune::SamplerKind::kGrid;
    case StudySampler::kSobol:
      return tune::SamplerKind::kSobol;
    case StudySampler::kTpe:
      return tune::SamplerKind::kTpe;
    case StudySampler::kTpeUnivariate:
      return tune::SamplerKind::kTpeUnivariate;
    case StudySampler::kGp:
      return tune::SamplerKind::kGp;
    case StudySampler::kCmaEs:
      return tune::SamplerKind::kCmaEs;
    case StudySampler::kNsga2:
      return tune::SamplerKind::kNsga2;
    case StudySampler::kNsga3:
      return tune::SamplerKind::kNsga3;
  }
  return tune::SamplerKind::kAuto;
}

tune::TrialState StateOf(TrialPhase phase) {
  switch (phase) {
    case TrialPhase::kRunning:
      return tune::TrialState::kRunning;
    case TrialPhase::kComplete:
      return tune::TrialState::kComplete;
    case TrialPhase::kPruned:
      return tune::TrialState::kPruned;
    case TrialPhase::kFailed:
      return tune::TrialState::kFailed;
  }
  return tune::TrialState::kFailed;
}

std::vector<std::string> TextsOf(const StudyParameter& parameter) {
  std::vector<std::string> texts;
  for (const ParameterChoice& choice : parameter.choices) texts.push_back(choice.text);
  return texts;
}

tune::Domain DomainOf(const StudyParameter& parameter) {
  const bool log = parameter.scale == ParameterScale::kLog;
  const tune::Scale scale = log ? tune::Scale::kLog : tune::Scale::kLinear;
  switch (parameter.kind) {
    case ParameterKind::kFloat:
      return tune::FloatDomain{parameter.low, parameter.high, scale, parameter.step};
    case ParameterKind::kInt:
      return tune::IntDomain{static_cast<std::int64_t>(parameter.low),
                             static_cast<std::int64_t>(parameter.high), scale,
                             static_cast<std::int64_t>(parameter.step.value_or(1))};
    case ParameterKind::kCategorical:
      return tune::CategoricalDomain{TextsOf(parameter)};
    case ParameterKind::kOrdinal:
      return tune::OrdinalDomain{TextsOf(parameter)};
    case ParameterKind::kConstant:
      break;
  }
  return tune::ConstantDomain{parameter.choices.empty() ? "" : parameter.choices.front().text};
}

// A value of the parent: the index of a choice, or a number. One that it never has stays outside
// of every domain, and the space refuses it by name.
double ValueOf(const StudyParameter& parent, const std::string& text) {
  for (std::size_t i = 0; i < parent.choices.size(); ++i) {
    if (parent.choices[i].text == text) return static_cast<double>(i);
  }
  if (!parent.choices.empty()) return -1;
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() ? kAbsent : value;
}

std::optional<tune::Condition> ConditionOf(const StudySpec& spec, const StudyParameter& parameter) {
  if (!parameter.when) return std::nullopt;
  tune::Condition condition{.parent = parameter.when->parent, .values = {}};
  for (const StudyParameter& parent : spec.parameters) {
    if (parent.name != condition.parent) continue;
    for (const std::string& text : parameter.when->values) {
      condition.values.push_back(ValueOf(parent, text));
    }
  }
  return condition;
}

std::size_t Count(const std::optional<std::int64_t>& value, std::size_t otherwise) {
  return value ? static_cast<std::size_t>(*value) : otherwise;
}

tune::PercentileOptions PercentileOf(const StudyPruner& pruner) {
  tune::PercentileOptions options;
  if (pruner.kind == PrunerKind::kPercentile) {
    options.percentile = pruner.percentile.value_or(options.percentile);
  }
  options.startup_trials = Count(pruner.startup_trials, options.startup_trials);
  options.warmup_steps = pruner.warmup_steps.value_or(options.warmup_steps);
  options.interval_steps = pruner.interval_steps.value_or(options.interval_steps);
  return options;
}

tune::AshaOptions AshaOf(const StudyPruner& pruner) {
  tune::AshaOptions options;
  options.min_steps = pruner.min_steps.value_or(options.min_steps);
  options.max_steps = pruner.max_steps.value_or(options.max_steps);
  options.eta = static_cast<int>(pruner.reduction.value_or(options.eta));
  using Mode = tune::AshaOptions::Mode;
  options.mode = pruner.promote ? Mode::kPromote : Mode::kStop;
  return options;
}

}  // namespace

Result<tune::Space> SpaceOf(const StudySpec& spec) {
  tune::Space::Spec out;
  for (const StudyParameter& parameter : spec.parameters) {
    out.parameters.push_back({.name = parameter.name,
                              .domain = DomainOf(parameter),
                              .condition = ConditionOf(spec, parameter)});
  }
  out.constraints = spec.constraints;
  for (const DerivedParameter& one : spec.derived) {
    out.derived.push_back({.name = one.name, .expression = one.expression});
  }
  return tune::Space::Make(std::move(out));
}

tune::StudyOptions OptionsOf(const Study& study) {
  tune::StudyOptions options;
  options.seed = study.seed;
  options.directions.clear();
  for (const StudyObjective& objective : study.spec.objectives) {
    options.directions.push_back(objective.aim == Aim::kMinimize ? tune::Direction::kMinimize
                                                                 : tune::Direction::kMaximize);
  }
  options.sampler = SamplerOf(study.spec.sampler);
  if (study.budget.trials) options.budget = static_cast<std::size_t>(*study.budget.trials);
  options.parallelism = static_cast<std::size_t>(study.spec.concurrency);
  options.repeats = static_cast<std::size_t>(study.spec.repeats);
  return options;
}

tune::PbtOptions PbtOf(const StudySpec& spec) {
  const StudyPruner& pruner = spec.pruner;
  tune::PbtOptions options;
  options.interval_steps = pruner.interval_steps.value_or(options.interval_steps);
  options.max_steps = pruner.max_steps.value_or(options.max_steps);
  options.least = Count(pruner.startup_trials, options.least);
  options.quantile = pruner.quantile.value_or(options.quantile);
  options.resample = pruner.resample.value_or(options.resample);
  options.factor = pruner.factor.value_or(options.factor);
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    auto named = std::ranges::find(pruner.parameters, spec.parameters[i].name);
    if (named != pruner.parameters.end()) options.mutable_parameters.push_back(i);
  }
  return options;
}

std::unique_ptr<tune::Pruner> PrunerOf(const Study& study) {
  const StudyPruner& pruner = study.spec.pruner;
  switch (pruner.kind) {
    case PrunerKind::kNone:
      return nullptr;
    case PrunerKind::kMedian:
    case PrunerKind::kPercentile:
      return std::make_unique<tune::PercentilePruner>(PercentileOf(pruner));
    case PrunerKind::kAsha:
      return std::make_unique<tune::AshaPruner>(AshaOf(pruner));
    case PrunerKind::kHyperband:
      return std::make_unique<tune::HyperbandPruner>(AshaOf(pruner));
    case PrunerKind::kPatient:
      return std::make_unique<tune::PatientPruner>(
          tune::PatientOptions{.patience = Count(pruner.patience, 5),
                               .min_delta = pruner.min_delta.value_or(0)},
          nullptr);
    case PrunerKind::kThreshold:
      return std::make_unique<tune::ThresholdPruner>(pruner.lower, pruner.upper);
    case PrunerKind::kWilcoxon:
      return std::make_unique<tune::WilcoxonPruner>(
          tune::WilcoxonOptions{.p_threshold = pruner.p_threshold.value_or(0.1),
                                .startup_steps = Count(pruner.warmup_steps, 2)});
    case PrunerKind::kPbt:
      return std::make_unique<tune::PbtPruner>(PbtOf(study.spec), study.seed);
  }
  return nullptr;
}

tune::Configuration ConfigurationOf(const std::vector<double>& values) {
  tune::Configuration configuration(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) configuration.Set(i, values[i]);
  }
  return configuration;
}

tune::Trial ToTune(const StudyTrial& trial) {
  tune::Trial out;
  out.number = tune::TrialNumber(trial.number);
  out.configuration = ConfigurationOf(trial.values);
  out.derived = trial.derived;
  out.state = StateOf(trial.phase);
  out.values = trial.results;
  for (const TrialReport& report : trial.reports) {
    out.reports.push_back({.step = report.step, .value = report.value});
  }
  if (trial.repeat_of) out.repeat_of = tune::TrialNumber(*trial.repeat_of);
  out.origin = OriginOf(trial.origin);
  out.latent = trial.latent;
  out.endings_before = trial.endings_before;
  out.finished = trial.finished;
  return out;
}

StudyTrial FromTune(const tune::Trial& trial, std::size_t objectives) {
  StudyTrial out;
  out.number = trial.number.value;
  for (std::size_t i = 0; i < trial.configuration.size(); ++i) {
    out.values.push_back(trial.configuration.At(i).value_or(kAbsent));
  }
  out.derived = trial.derived;
  out.reported.resize(objectives);
  if (trial.repeat_of) out.repeat_of = trial.repeat_of->value;
  out.origin = WordOf(trial.origin);
  out.latent = trial.latent;
  out.endings_before = trial.endings_before;
  return out;
}

Result<tune::Study> RestoreStudy(const Study& study, const std::vector<StudyTrial>& trials) {
  YARD_ASSIGN(tune::Space space, SpaceOf(study.spec));
  std::vector<tune::Trial> stored;
  stored.reserve(trials.size());
  for (const StudyTrial& trial : trials) stored.push_back(ToTune(trial));
  return tune::Study::Restore(std::move(space), OptionsOf(study), std::move(stored));
}

}  // namespace yard::control

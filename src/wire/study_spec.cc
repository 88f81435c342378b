// Reads the spec of a study, and values of its parameters.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/refuse.h"
#include "base/strings.h"
#include "wire/fields.h"
#include "wire/study.h"

namespace yard::wire {
namespace {

using Issues = std::vector<FieldIssue>;

template <class E>
E EnumOr(const json::object& object, std::string_view name, E otherwise) {
  return FromName<E>(TextOrEmpty(object, name)).value_or(otherwise);
}

// As people write it on a command line.
ParameterChoice ReadChoice(const json::value& value) {
  std::string json = JsonText(value);
  if (const json::string* text = value.if_string()) return {std::string(*text), std::move(json)};
  return {json, json};
}

void ReadChoices(const json::array& list, const std::string& path, StudyParameter& parameter,
                 Issues& issues) {
  std::set<std::string> seen;
  for (const json::value& value : list) {
    if (value.is_object() || value.is_array() || value.is_null()) {
      issues.push_back({path, "a choice is a text, a number, true or false"});
      return;
    }
    parameter.choices.push_back(ReadChoice(value));
    const std::string& text = parameter.choices.back().text;
    if (!seen.insert(text).second) {
      issues.push_back({path, fmt::format("'{}' stands there twice", text)});
      return;
    }
  }
}

std::optional<ParameterCondition> ReadCondition(const json::object& parameter) {
  const json::object* when = ObjectIn(parameter, "when");
  if (when == nullptr) return std::nullopt;
  ParameterCondition condition{.parent = std::string(TextOrEmpty(*when, "parameter")),
                               .values = {}};
  for (const json::value& value : ListOrEmpty(*when, "values")) {
    condition.values.push_back(ReadChoice(value).text);
  }
  return condition;
}

ParameterKind KindOf(const json::object& object) {
  if (ListIn(object, "choices") != nullptr) {
    return EnumOr(object, "type", ParameterKind::kCategorical);
  }
  if (ValueIn(object, "value") != nullptr) return EnumOr(object, "type", ParameterKind::kConstant);
  return EnumOr(object, "type", ParameterKind::kFloat);
}

bool IsNumeric(ParameterKind kind) {
  return kind == ParameterKind::kFloat || kind == ParameterKind::kInt;
}

void ReadRange(const json::object& object, const std::string& path, StudyParameter& parameter,
               Issues& issues) {
  std::optional<double> low = NumberOf(object, "low");
  std::optional<double> high = NumberOf(object, "high");
  if (!low || !high) {
    issues.push_back({path, "a number needs low and high; a list of values is written as choices"});
    return;
  }
  parameter.low = *low;
  parameter.high = *high;
  parameter.step = NumberOf(object, "step");
  if (FlagOrFalse(object, "log")) parameter.scale = ParameterScale::kLog;
  if (parameter.kind != ParameterKind::kInt) return;
  for (double bound : {*low, *high, parameter.step.value_or(1)}) {
    if (bound == std::floor(bound) && std::abs(bound) < 9e15) continue;
    issues.push_back({path, fmt::format("{} is not a whole number", bound)});
  }
}

StudyParameter ReadParameter(const json::object& object, const std::string& path, Issues& issues) {
  StudyParameter parameter{.name = std::string(TextOrEmpty(object, "name")),
                           .kind = KindOf(object),
                           .step = {},
                           .choices = {},
                           .when = ReadCondition(object)};
  if (IsNumeric(parameter.kind)) {
    ReadRange(object, path, parameter, issues);
  } else if (parameter.kind == ParameterKind::kConstant) {
    const json::value* value = ValueIn(object, "value");
    if (value == nullptr) {
      issues.push_back({path + ".value", "a constant needs its value"});
    } else {
      ReadChoices(json::array{*value}, path + ".value", parameter, issues);
    }
  } else {
    ReadChoices(ListOrEmpty(object, "choices"), path + ".choices", parameter, issues);
  }
  return parameter;
}

StudyPruner ReadPruner(const json::object& spec) {
  const json::object& object = ObjectOrEmpty(spec, "pruner");
  return {.kind = EnumOr(object, "type", PrunerKind::kNone),
          .percentile = NumberOf(object, "percentile"),
          .startup_trials = WholeOf(object, "startupTrials"),
          .warmup_steps = WholeOf(object, "warmupSteps"),
          .interval_steps = WholeOf(object, "intervalSteps"),
          .min_steps = WholeOf(object, "minSteps"),
          .max_steps = WholeOf(object, "maxSteps"),
          .reduction = WholeOf(object, "reduction"),
          .patience = WholeOf(object, "patience"),
          .min_delta = NumberOf(object, "minDelta"),
          .lower = NumberOf(object, "lower"),
          .upper = NumberOf(object, "upper"),
          .p_threshold = NumberOf(object, "pThreshold"),
          .promote = FlagOrFalse(object, "promote"),
          .quantile = NumberOf(object, "quantile"),
          .resample = NumberOf(object, "resample"),
          .factor = NumberOf(object, "factor"),
          .parameters = TextsOf(object, "parameters")};
}

void CheckPbt(const StudySpec& spec, Issues& issues) {
  const StudyPruner& pruner = spec.pruner;
  if (!pruner.interval_steps) {
    issues.push_back({"spec.pruner.intervalSteps", "say after how many steps trials are compared"});
  }
  if (pruner.quantile.value_or(0.25) > 0.5 || pruner.quantile.value_or(0.25) <= 0) {
    issues.push_back({"spec.pruner.quantile", "must be above 0 and at most 0.5"});
  }
  for (const std::string& name : pruner.parameters) {
    if (std::ranges::find(spec.parameters, name, &StudyParameter::name) != spec.parameters.end()) {
      continue;
    }
    issues.push_back({"spec.pruner.parameters", fmt::format("the study has no '{}'", name)});
  }
}

// A successor starts from a checkpoint of another trial.
void CheckHandover(const StudySpec& spec, Issues& issues) {
  const bool pbt = spec.pruner.kind == PrunerKind::kPbt;
  if (pbt) CheckPbt(spec, issues);
  if (spec.pruner.promote && spec.pruner.kind != PrunerKind::kAsha) {
    issues.push_back({"spec.pruner.promote", "goes with asha only"});
  }
  const std::string& folder = spec.checkpoints;
  if (!folder.empty() && (folder.front() != '/' || folder.find("/../") != folder.npos)) {
    issues.push_back({"spec.checkpoints", "must be an absolute path without '..'"});
  }
  if (!pbt && !spec.pruner.promote) return;
  if (spec.workload && folder.empty()) {
    issues.push_back(
        {"spec.checkpoints",
         "name a folder that every trial sees; successors start from checkpoints there"});
  }
  if (spec.repeats > 1) {
    issues.push_back({"spec.repeats", "must be 1 where trials go on from checkpoints of others"});
  }
}

void ReadLists(const json::object& object, StudySpec& spec) {
  EachObject(object, "objectives", [&](const json::object& one) {
    spec.objectives.push_back({.metric = std::string(TextOrEmpty(one, "metric")),
                               .aim = EnumOr(one, "direction", Aim::kMinimize),
                               .result = EnumOr(one, "result", ResultRule::kLast)});
  });
  spec.constraints = TextsOf(object, "constraints");
  EachObject(object, "derived", [&](const json::object& one) {
    spec.derived.push_back(
        {std::string(TextOrEmpty(one, "name")), std::string(TextOrEmpty(one, "expression"))});
  });
}

// Each suggestion looks at all of them, again and again.
void CheckCounts(const json::object& spec, Issues& issues) {
  constexpr std::size_t kMostChoices = 10'000;
  constexpr std::array<std::pair<std::string_view, std::size_t>, 4> kMost{
      {{"objectives", 10}, {"parameters", 500}, {"constraints", 100}, {"derived", 100}}};
  for (const auto& [name, most] : kMost) {
    if (ListOrEmpty(spec, name).size() <= most) continue;
    issues.push_back({fmt::format("spec.{}", name), fmt::format("has at most {}", most)});
  }
  EachObject(spec, "parameters", [&](const json::object& parameter) {
    const json::object& when = ObjectOrEmpty(parameter, "when");
    if (ListOrEmpty(parameter, "choices").size() <= kMostChoices &&
        ListOrEmpty(when, "values").size() <= kMostChoices) {
      return;
    }
    issues.push_back({"spec.parameters", fmt::format("has at most {} choices", kMostChoices)});
  });
}

std::optional<double> ValueOf(const StudyParameter& parameter, const json::value& value) {
  if (IsNumeric(parameter.kind)) {
    json::error_code error;
    double number = value.to_number<double>(error);
    if (error) return std::nullopt;
    return number;
  }
  std::string text = ReadChoice(value).text;
  for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
    if (parameter.choices[i].text == text) return static_cast<double>(i);
  }
  return std::nullopt;
}

}  // namespace

Result<StudySpec> ReadStudySpec(const json::object& object) {
  StudySpec spec;
  Issues issues;
  ReadLists(object, spec);
  if (spec.objectives.empty()) issues.push_back({"spec.objectives", "there is none"});
  const json::array& parameters = ListOrEmpty(object, "parameters");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    spec.parameters.push_back(
        ReadParameter(parameters[i].as_object(), fmt::format("spec.parameters[{}]", i), issues));
  }
  spec.sampler = EnumOr(object, "sampler", StudySampler::kAuto);
  spec.pruner = ReadPruner(object);
  spec.seed = WholeOf(object, "seed");
  spec.repeats = WholeOf(object, "repeats").value_or(1);
  spec.concurrency = WholeOf(object, "concurrency").value_or(1);
  spec.max_failures = WholeOf(object, "maxFailures").value_or(10);
  spec.pattern = TextOrEmpty(object, "pattern");
  spec.budget = {.trials = WholeOf(object, "maxTrials"),
                 .seconds = WholeOf(object, "maxDurationSeconds"),
                 .gpu_hours = NumberOf(object, "maxGpuHours")};
  spec.checkpoints = TextOrEmpty(object, "checkpoints");
  spec.start_from = TextOrEmpty(object, "startFrom");
  if (const json::object* workload = ObjectIn(object, "workload")) {
    spec.workload = Document{JsonText(*workload)};
  }
  CheckHandover(spec, issues);
  YARD_TRY(RefuseFields(std::move(issues)));
  return spec;
}

Result<StudyHead> ReadStudyHead(const json::object& body) {
  StudyHead head{
      .name = std::string(TextOrEmpty(body, "name")), .project = {}, .document = {}, .spec = {}};
  std::optional<std::int64_t> project = ParseInt(TextOrEmpty(body, "projectId"));
  if (!project) return Fail(Code::kInvalid, "projectId must be the number of a project");
  head.project = ProjectId{*project};
  const json::object& spec = ObjectOrEmpty(body, "spec");
  Issues issues;
  CheckCounts(spec, issues);
  YARD_TRY(RefuseFields(std::move(issues)));
  head.document.json = JsonText(spec);
  YARD_ASSIGN(head.spec, ReadStudySpec(spec));
  return head;
}

Result<std::vector<double>> ReadParameters(const StudySpec& spec, const json::object& values) {
  std::vector<double> out(spec.parameters.size(), std::numeric_limits<double>::quiet_NaN());
  Issues issues;
  std::size_t known = 0;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    const StudyParameter& parameter = spec.parameters[i];
    const json::value* value = values.if_contains(parameter.name);
    if (parameter.kind == ParameterKind::kConstant && value == nullptr && !parameter.when) {
      out[i] = 0;
    }
    if (value == nullptr) continue;
    ++known;
    std::optional<double> number = ValueOf(parameter, *value);
    if (number) out[i] = *number;
    if (!number) issues.push_back({"parameters." + parameter.name, "is not one of its values"});
  }
  if (known < values.size()) {
    for (const auto& [name, value] : values) {
      bool found = std::ranges::any_of(spec.parameters,
                                       [&](const StudyParameter& p) { return p.name == name; });
      if (!found)
        issues.push_back({"parameters." + std::string(name), "the study has no such one"});
    }
  }
  YARD_TRY(RefuseFields(std::move(issues)));
  return out;
}

}  // namespace yard::wire

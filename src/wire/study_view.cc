// What people and programs see of a study, and the spec that a trial's workload gets.
#include <cmath>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/trusted_json.h"
#include "wire/fields.h"
#include "wire/study.h"

namespace yard::wire {
namespace {

constexpr double kMilliMicrosPerHour = 3600.0 * 1e6 * 1e3;

bool IsNumeric(const StudyParameter& parameter) {
  return parameter.kind == ParameterKind::kFloat || parameter.kind == ParameterKind::kInt;
}

std::string NumberText(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    return fmt::format("{}", static_cast<std::int64_t>(value));
  }
  return fmt::format("{}", value);
}

const ParameterChoice& ChoiceOf(const StudyParameter& parameter, double value) {
  static const ParameterChoice kNone{"", "null"};
  auto index = static_cast<std::size_t>(value);
  return index < parameter.choices.size() ? parameter.choices[index] : kNone;
}

using Texts = std::vector<std::pair<std::string, std::string>>;

Texts TextsOf(const StudySpec& spec, const StudyTrial& trial) {
  Texts texts;
  for (std::size_t i = 0; i < spec.parameters.size() && i < trial.values.size(); ++i) {
    if (std::isnan(trial.values[i])) continue;
    texts.emplace_back(spec.parameters[i].name, ParameterText(spec.parameters[i], trial.values[i]));
  }
  for (std::size_t i = 0; i < spec.derived.size() && i < trial.derived.size(); ++i) {
    texts.emplace_back(spec.derived[i].name, NumberText(trial.derived[i]));
  }
  return texts;
}

// A name that is no parameter stays as it is: it may be a variable of the shell.
std::string Filled(std::string_view text, const Texts& texts) {
  std::string out;
  while (!text.empty()) {
    std::size_t at = text.find("${");
    std::size_t end = at == text.npos ? text.npos : text.find('}', at);
    if (end == text.npos) break;
    std::string_view name = text.substr(at + 2, end - at - 2);
    auto found = std::ranges::find_if(texts, [&](const auto& one) { return one.first == name; });
    out += text.substr(0, at);
    out += found == texts.end() ? text.substr(at, end + 1 - at) : std::string_view(found->second);
    text.remove_prefix(end + 1);
  }
  return out.append(text);
}

void FillTexts(json::value& value, const Texts& texts) {
  if (json::string* text = value.if_string()) {
    std::string_view before(*text);
    if (before.find("${") != before.npos) *text = Filled(before, texts);
  } else if (json::array* list = value.if_array()) {
    for (json::value& item : *list) FillTexts(item, texts);
  } else if (json::object* object = value.if_object()) {
    for (auto& [key, member] : *object) FillTexts(member, texts);
  }
}

std::string VariableName(std::string_view parameter) {
  std::string name = "GPUYARD_PARAM_";
  for (char c : parameter) {
    bool plain = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    bool small = c >= 'a' && c <= 'z';
    name += plain ? c : small ? static_cast<char>(c - 'a' + 'A') : '_';
  }
  return name;
}

void AddVariable(json::array& list, std::string_view name, std::string_view value) {
  list.push_back(json::object{{"name", name}, {"value", value}});
}

// The folder of a trial's checkpoints. The study's id keeps a later study of that name apart.
std::string CheckpointFolder(const Study& study, std::int64_t trial) {
  const std::string id = FormatUuid(study.id.value);
  std::string_view base = study.spec.checkpoints;
  while (base.size() > 1 && base.ends_with('/')) base.remove_suffix(1);
  return fmt::format("{}/{}-{}/{}", base, study.name, id, trial);
}

json::array Variables(const Study& study, const StudyTrial& trial, const Texts& texts) {
  json::array list;
  AddVariable(list, "GPUYARD_STUDY", study.name);
  AddVariable(list, "GPUYARD_STUDY_ID", FormatUuid(study.id.value));
  AddVariable(list, "GPUYARD_TRIAL", std::to_string(trial.number));
  AddVariable(list, "GPUYARD_PARAMS", ParametersJson(study.spec, trial));
  for (const auto& [name, text] : texts) AddVariable(list, VariableName(name), text);
  if (study.spec.checkpoints.empty()) return list;
  AddVariable(list, "GPUYARD_CHECKPOINT_DIR", CheckpointFolder(study, trial.number));
  if (trial.resumes_from) {
    AddVariable(list, "GPUYARD_RESUME_FROM", CheckpointFolder(study, *trial.resumes_from));
  }
  return list;
}

void WriteValues(Writer& w, const StudyTrial& trial) {
  if (trial.results.empty()) return;
  w.Key("values");
  w.BeginList();
  for (double value : trial.results) {
    w.Item();
    w.Value(value);
  }
  w.EndList();
}

void WriteReports(Writer& w, const StudyTrial& trial) {
  if (trial.reports.empty()) return;
  w.Key("reports");
  w.BeginList();
  for (const TrialReport& report : trial.reports) {
    w.Item();
    w.Begin();
    w("step", report.step);
    w("value", report.value);
    w.End();
  }
  w.EndList();
}

void WriteBudget(Writer& w, const StudyBudget& budget) {
  w.Begin();
  w("maxTrials", budget.trials);
  w("maxDurationSeconds", budget.seconds);
  w("maxGpuHours", budget.gpu_hours);
  w.End();
}

}  // namespace

std::string ParameterText(const StudyParameter& parameter, double value) {
  return IsNumeric(parameter) ? NumberText(value) : ChoiceOf(parameter, value).text;
}

std::string ParameterJson(const StudyParameter& parameter, double value) {
  return IsNumeric(parameter) ? NumberText(value) : ChoiceOf(parameter, value).json;
}

std::string ParametersJson(const StudySpec& spec, const StudyTrial& trial) {
  std::string out = "{";
  auto add = [&](std::string_view name, std::string_view json) {
    if (out.size() > 1) out += ',';
    AppendJsonString(out, name);
    out += ':';
    out += json;
  };
  for (std::size_t i = 0; i < spec.parameters.size() && i < trial.values.size(); ++i) {
    if (std::isnan(trial.values[i])) continue;
    add(spec.parameters[i].name, ParameterJson(spec.parameters[i], trial.values[i]));
  }
  for (std::size_t i = 0; i < spec.derived.size() && i < trial.derived.size(); ++i) {
    bool finite = std::isfinite(trial.derived[i]);
    add(spec.derived[i].name, finite ? NumberText(trial.derived[i]) : "null");
  }
  return out + "}";
}

std::string TrialSpec(const Study& study, const StudyTrial& trial) {
  Result<json::value> parsed = ParseTrustedJson(study.spec.workload.value_or(Document{}).json);
  json::object spec = parsed && parsed->is_object() ? parsed->get_object() : json::object{};
  Texts texts = TextsOf(study.spec, trial);
  for (auto& [key, value] : spec) FillTexts(value, texts);
  json::array variables = Variables(study, trial, texts);
  if (const json::array* own = ListIn(spec, "environmentVariables")) {
    variables.insert(variables.end(), own->begin(), own->end());
  }
  spec["environmentVariables"] = std::move(variables);
  return JsonText(spec);
}

void WriteTrial(Writer& w, const Study& study, const StudyTrial& trial) {
  w("number", trial.number);
  w("state", trial.phase);
  w.Key("parameters");
  w.Raw(ParametersJson(study.spec, trial));
  w("origin", trial.origin);
  w("repeatOf", trial.repeat_of);
  w("continues", trial.continues);
  w("resumesFrom", trial.resumes_from);
  WriteValues(w, trial);
  WriteReports(w, trial);
  w("workloadId", trial.workload);
  if (!trial.message.empty()) w("message", trial.message);
  w("gpuHours", static_cast<double>(trial.gpu_time.value) / kMilliMicrosPerHour);
  w("createdAt", trial.created_at);
  w("endedAt", trial.ended_at);
}

void WriteStudy(Writer& w, const Study& study, const StudyCounts& counts) {
  w.Begin();
  w("id", study.id);
  w("name", study.name);
  w("projectId", std::to_string(study.project.value));
  w("state", study.state);
  w("message", study.message);
  w("seed", study.seed);
  w("spec", study.document);
  w.Key("budget");
  WriteBudget(w, study.budget);
  w.Key("trials");
  w.Begin();
  w("running", counts.running);
  w("complete", counts.complete);
  w("pruned", counts.pruned);
  w("failed", counts.failed);
  w("configurations", counts.configurations);
  w("extra", counts.extra);
  w.End();
  w("gpuHours", static_cast<double>(counts.gpu_time.value) / kMilliMicrosPerHour);
  if (counts.best != nullptr) {
    w.Key("best");
    w.Begin();
    WriteTrial(w, study, *counts.best);
    w.End();
  }
  w("createdAt", study.stamp.created_at);
  w("createdBy", study.stamp.created_by);
  w("updatedAt", study.stamp.updated_at);
  w("endedAt", study.ended_at);
  w.End();
}

}  // namespace yard::wire

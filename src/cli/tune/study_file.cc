#include "cli/tune/study_file.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/submit/parse.h"
#include "cli/submit/resources.h"

namespace yard::cli {
namespace {

std::unexpected<Error> Wrong(std::string_view field, std::string_view problem) {
  return Fail(Code::kInvalid, fmt::format("{}: {}", field, problem));
}

// As it would be written on a command line.
std::string TextOf(const json::value& value) {
  if (const json::string* text = value.if_string()) return std::string(*text);
  return json::serialize(value);
}

std::string TextAt(const json::object& file, std::string_view name) {
  const json::value* value = file.if_contains(name);
  return value == nullptr ? "" : TextOf(*value);
}

constexpr std::array<std::string_view, 29> kKnown{
    "name",       "project",     "metric",      "direction", "result",   "objectives",
    "parameters", "constraints", "derived",     "sampler",   "pruner",   "seed",
    "repeats",    "concurrency", "trials",      "time",      "gpuHours", "maxFailures",
    "pattern",    "command",     "image",       "gpu",       "cpu",      "memory",
    "workingDir", "environment", "checkpoints", "startFrom", "workload"};

Status CheckNames(const json::object& file) {
  for (const auto& [key, value] : file) {
    std::string_view name = key;
    if (std::ranges::find(kKnown, name) != kKnown.end()) continue;
    std::optional<std::string_view> near = Nearest(name, kKnown);
    return Wrong(name, near ? fmt::format("there is no such field; is '{}' meant?", *near)
                            : "there is no such field");
  }
  return {};
}

// "lr: {low: …}", "optimizer: [adam, sgd]", "seed: 3".
json::object ParameterOf(std::string_view name, const json::value& value) {
  json::object parameter;
  if (const json::object* object = value.if_object()) {
    parameter = *object;
  } else if (value.is_array()) {
    parameter["choices"] = value;
  } else {
    parameter["value"] = value;
  }
  parameter["name"] = name;
  // "when: {optimizer: sgd}" or "when: {optimizer: [sgd, rmsprop]}"
  const json::value* when = parameter.if_contains("when");
  const json::object* short_form = when == nullptr ? nullptr : when->if_object();
  if (short_form == nullptr || short_form->contains("parameter") || short_form->size() != 1) {
    return parameter;
  }
  const auto& [parent, values] = *short_form->begin();
  json::array list = values.is_array() ? values.get_array() : json::array{values};
  parameter["when"] = json::object{{"parameter", parent}, {"values", std::move(list)}};
  return parameter;
}

Result<json::array> ParametersOf(const json::object& file) {
  const json::value* given = file.if_contains("parameters");
  if (given == nullptr) return Wrong("parameters", "there is none");
  if (const json::array* list = given->if_array()) return *list;
  const json::object* named = given->if_object();
  if (named == nullptr) return Wrong("parameters", "write names with their ranges or choices");
  json::array list;
  for (const auto& [name, value] : *named) list.push_back(ParameterOf(name, value));
  return list;
}

Result<json::array> ObjectivesOf(const json::object& file) {
  if (const json::value* given = file.if_contains("objectives")) {
    if (const json::array* list = given->if_array()) return *list;
    return Wrong("objectives", "must be a list");
  }
  std::string metric = TextAt(file, "metric");
  if (metric.empty()) return Wrong("metric", "name the number that is to be minimized");
  json::object one{{"metric", metric}};
  for (std::string_view name : {"direction", "result"}) {
    if (const json::value* value = file.if_contains(name)) one[name] = *value;
  }
  return json::array{std::move(one)};
}

Status AddBudget(const json::object& file, json::object& spec) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kSame{
      {{"trials", "maxTrials"}, {"gpuHours", "maxGpuHours"}}};
  for (const auto& [from, to] : kSame) {
    if (const json::value* value = file.if_contains(from)) spec[to] = *value;
  }
  std::string time = TextAt(file, "time");
  if (time.empty()) return {};
  Result<Micros> span = ParseDuration(time);
  if (!span) return Wrong("time", span.error().message);
  spec["maxDurationSeconds"] = (span->value + 999'999) / 1'000'000;
  return {};
}

json::array DerivedOf(const json::value& given) {
  if (const json::array* list = given.if_array()) return *list;
  json::array list;
  if (const json::object* named = given.if_object()) {
    for (const auto& [name, value] : *named) {
      list.push_back(json::object{{"name", name}, {"expression", TextOf(value)}});
    }
  }
  return list;
}

Status AddResources(const json::object& file, Spec& spec) {
  using Set = Status (*)(Spec&, std::string_view);
  constexpr std::array<std::pair<std::string_view, Set>, 3> kParts{
      {{"gpu", SetGpus}, {"cpu", SetCpus}, {"memory", SetMemory}}};
  for (const auto& [name, set] : kParts) {
    std::string text = TextAt(file, name);
    if (text.empty()) continue;
    if (Status done = set(spec, text); !done) return Wrong(name, done.error().message);
  }
  const json::value* variables = file.if_contains("environment");
  if (variables != nullptr && variables->is_object()) {
    for (const auto& [name, value] : variables->get_object()) {
      spec.SetVariable(std::string(name), TextOf(value));
    }
  }
  return {};
}

// The spec of a trial's workload: the short words of the file, and `workload` over them.
Result<std::optional<json::object>> WorkloadOf(const json::object& file,
                                               const std::string& folder) {
  Spec spec;
  YARD_TRY(AddResources(file, spec));
  json::object work = spec.ToJson();
  for (std::string_view name : {"command", "image", "workingDir"}) {
    if (const json::value* value = file.if_contains(name)) work[name] = *value;
  }
  if (const json::value* more = file.if_contains("workload")) {
    if (!more->is_object()) return Wrong("workload", "must be the spec of a training");
    for (const auto& [name, value] : more->get_object()) work[name] = value;
  }
  if (work.empty()) return std::optional<json::object>();
  if (!work.contains("command") && !work.contains("image")) {
    return Wrong("command", "say what a trial runs");
  }
  if (!work.contains("image") && !work.contains("workingDir") && !folder.empty()) {
    work["workingDir"] = folder;
  }
  return std::optional<json::object>(std::move(work));
}

}  // namespace

Result<StudyFile> ReadStudyFile(const json::value& value, const std::string& folder) {
  const json::object* file = value.if_object();
  if (file == nullptr) return Fail(Code::kInvalid, "the file describes no study");
  YARD_TRY(CheckNames(*file));
  json::object spec;
  YARD_ASSIGN(spec["objectives"], ObjectivesOf(*file));
  YARD_ASSIGN(spec["parameters"], ParametersOf(*file));
  for (std::string_view name : {"constraints", "sampler", "seed", "repeats", "concurrency",
                                "maxFailures", "pattern", "checkpoints", "startFrom"}) {
    if (const json::value* given = file->if_contains(name)) spec[name] = *given;
  }
  if (const json::value* derived = file->if_contains("derived"))
    spec["derived"] = DerivedOf(*derived);
  if (const json::value* pruner = file->if_contains("pruner")) {
    spec["pruner"] = pruner->is_string() ? json::object{{"type", *pruner}} : *pruner;
  }
  YARD_TRY(AddBudget(*file, spec));
  YARD_ASSIGN(std::optional<json::object> work, WorkloadOf(*file, folder));
  if (work) spec["workload"] = *std::move(work);
  StudyFile out{.name = TextAt(*file, "name"),
                .project = TextAt(*file, "project"),
                .spec = json::serialize(spec)};
  if (out.name.empty()) return Wrong("name", "give the study a name");
  return out;
}

}  // namespace yard::cli

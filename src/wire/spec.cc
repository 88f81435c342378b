#include "wire/spec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "wire/fields.h"
#include "wire/signals.h"
#include "wire/spec_parts.h"

namespace yard::wire {
namespace {

using Named = std::pair<Framework, std::string_view>;
constexpr std::array<Named, 5> kFrameworks{{{Framework::kMpi, "MPI"},
                                            {Framework::kPyTorch, "PyTorch"},
                                            {Framework::kTensorFlow, "TF"},
                                            {Framework::kXgBoost, "XGBoost"},
                                            {Framework::kJax, "JAX"}}};

Words WordsIn(const json::object& object, std::string_view field) {
  return ReadWords(object, field).value_or(Words());
}

std::optional<std::int64_t> Milli(const json::object& object, std::string_view field) {
  std::optional<double> number = NumberOf(object, field);
  return number ? std::optional(std::llround(*number * 1000)) : std::nullopt;
}

PullPolicy ReadPull(const json::object& spec) {
  std::string_view policy = TextOrEmpty(spec, "imagePullPolicy");
  if (policy == "Always") return PullPolicy::kAlways;
  return policy == "Never" ? PullPolicy::kNever : PullPolicy::kIfNotPresent;
}

GpuAsk ReadAsk(const json::object& compute) {
  std::string_view type = TextOrEmpty(compute, "gpuRequestType");
  if (type == "portion") return GpuAsk::kPortion;
  if (type == "memory") return GpuAsk::kMemory;
  return type == "migProfile" ? GpuAsk::kMigProfile : GpuAsk::kUnsaid;
}

GpuTimeMode ReadTime(const json::object& compute) {
  std::string_view mode = TextOrEmpty(compute, "gpuCompute");
  if (mode == "strict") return GpuTimeMode::kStrict;
  if (mode == "interactive") return GpuTimeMode::kInteractive;
  return mode == "fair" ? GpuTimeMode::kFair : GpuTimeMode::kFree;
}

std::optional<WarningSpec> ReadWarning(const json::object& said) {
  constexpr double kUsualSeconds = 60;
  std::optional<std::int64_t> signal = SignalOf(TextOrEmpty(said, "signal"));
  if (!signal) return std::nullopt;
  double seconds = NumberOf(said, "seconds").value_or(kUsualSeconds);
  return WarningSpec{*signal, Seconds(std::llround(seconds))};
}

Shared<LimitSpec> ReadLimits(const json::object& spec, const json::object& compute) {
  LimitSpec limits{.gpu_memory = ParseMebibytes(TextOrEmpty(compute, "gpuMemoryLimit")),
                   .memory = ParseMebibytes(TextOrEmpty(compute, "cpuMemoryLimit")),
                   .log = ParseMebibytes(TextOrEmpty(spec, "logLimit")),
                   .begin_at = ParseRfc3339(TextOrEmpty(spec, "beginAt")),
                   .warning = ReadWarning(ObjectOrEmpty(spec, "signalBeforeEnd")),
                   .gpu_time = ReadTime(compute),
                   .large_shm = FlagOrFalse(compute, "largeShmRequest")};
  if (auto part = Milli(compute, "gpuPortionLimit")) limits.gpu_portion = MilliGpu(*part);
  if (auto cores = Milli(compute, "cpuCoreLimit")) limits.cpu = MilliCpu(*cores);
  if (auto seconds = NumberOf(spec, "autoDeletionTimeAfterCompletionSeconds")) {
    limits.kept_after_end = Seconds(std::llround(*seconds));
  }
  bool any = limits.kept_after_end || limits.gpu_portion || limits.gpu_memory || limits.cpu ||
             limits.memory || limits.log || limits.begin_at || limits.warning ||
             limits.gpu_time != GpuTimeMode::kFree || limits.large_shm;
  return any ? Shared(limits) : Shared<LimitSpec>();
}

VariableSpec ReadVariable(const json::object& item) {
  VariableSpec variable{.name = std::string(TextOrEmpty(item, "name"))};
  auto take = [&](VariableSource source, std::string_view value, std::string_view key) {
    variable.source = source;
    variable.value = value;
    variable.key = key;
  };
  constexpr std::pair<std::string_view, VariableSource> kByName[] = {
      {"secret", VariableSource::kSecret}, {"configMap", VariableSource::kConfigMap}};
  for (const auto& [field, source] : kByName) {
    const json::object& from = ObjectOrEmpty(item, field);
    if (from.empty()) continue;
    take(source, TextOrEmpty(from, "name"), TextOrEmpty(from, "key"));
    return variable;
  }
  const json::object& credential = ObjectOrEmpty(item, "credential");
  const json::object& field = ObjectOrEmpty(item, "podFieldRef");
  if (!credential.empty()) {
    std::string_view id = TextOrEmpty(credential, "assetId");
    take(VariableSource::kCredential, id.empty() ? TextOrEmpty(credential, "name") : id,
         TextOrEmpty(credential, "key"));
  } else if (!field.empty()) {
    take(VariableSource::kPodField, TextOrEmpty(field, "path"), "");
  } else if (item.contains("value")) {
    take(VariableSource::kValue, TextOrEmpty(item, "value"), "");
  }
  return variable;
}

Framework ReadFramework(const json::object& spec) {
  const auto* known =
      std::ranges::find(kFrameworks, TextOrEmpty(spec, "distributedFramework"), &Named::second);
  return known == kFrameworks.end() ? Framework::kNone : known->first;
}

Shared<SetupSpec> ReadSetup(const json::object& spec) {
  SetupSpec setup;
  EachObject(spec, "imagePullSecrets", [&](const json::object& item) {
    setup.pull_secrets.emplace_back(TextOrEmpty(item, "name"));
  });
  EachObject(spec, "steps", [&](const json::object& item) {
    setup.steps.push_back(
        {std::string(TextOrEmpty(item, "name")), WordsIn(item, "command"), WordsIn(item, "args")});
  });
  bool any = !setup.pull_secrets.empty() || !setup.steps.empty();
  return any ? Shared(std::move(setup)) : Shared<SetupSpec>();
}

// Where a temporary home folder lies, if the work asks for one.
std::string_view HomeOf(const json::object& spec) {
  const bool wanted = FlagOrFalse(spec, "createHomeDir") && !TextOrEmpty(spec, "image").empty();
  return wanted ? "/mnt/home" : "";
}

void ReadProcess(const json::object& spec, WorkloadSpec& out) {
  out.command = WordsIn(spec, "command");
  out.args = WordsIn(spec, "args");
  out.working_dir = TextOrEmpty(spec, "workingDir");
  out.tty = FlagOrFalse(spec, "tty");
  if (std::string_view home = HomeOf(spec); !home.empty()) {
    out.variables.push_back(
        {.name = "HOME", .value = std::string(home), .source = VariableSource::kValue});
  }
  EachObject(spec, "environmentVariables", [&](const json::object& item) {
    if (!FlagOrFalse(item, "exclude")) out.variables.push_back(ReadVariable(item));
  });
  out.variables.shrink_to_fit();
}

std::unexpected<Error> Refuse(std::string_view field, std::string problem) {
  Error error{Code::kInvalid, fmt::format("spec.{}: {}", field, problem)};
  error.fields.push_back({fmt::format("spec.{}", field), std::move(problem)});
  return Fail(std::move(error));
}

Status RequireSplits(const json::object& object) {
  for (std::string_view field : {"command", "args"}) YARD_TRY(ReadWords(object, field));
  return {};
}

}  // namespace

SpecRef ReadSpec(const json::object& spec, std::string text) {
  const json::object& compute = ObjectOrEmpty(spec, "compute");
  WorkloadSpec out{.document = {std::move(text)},
                   .image = std::string(TextOrEmpty(spec, "image")),
                   .setup = ReadSetup(spec),
                   .limits = ReadLimits(spec, compute),
                   .storage = ReadStorage(ObjectOrEmpty(spec, "storage"), HomeOf(spec)),
                   .security = ReadSecurity(ObjectOrEmpty(spec, "security")),
                   .placement = ReadPlacement(spec),
                   .reach = ReadReach(spec),
                   .pull = ReadPull(spec),
                   .gpu_ask = ReadAsk(compute),
                   .framework = ReadFramework(spec)};
  ReadProcess(spec, out);
  return SpecRef(std::move(out));
}

SpecRef ReadSpecText(std::string text) {
  Result<json::value> value = ParseJson(text);
  return value && value->is_object() ? ReadSpec(value->get_object(), std::move(text)) : SpecRef();
}

Result<Words> ReadWords(const json::object& object, std::string_view field) {
  const json::value* value = ValueIn(object, field);
  if (value == nullptr) return Words();
  if (const json::string* text = value->if_string()) {
    Result<Words> words = SplitWords(*text);
    if (!words) return Refuse(field, words.error().message);
    return words;
  }
  if (!value->is_array()) return Refuse(field, "must be a text or a list of texts");
  Words words;
  for (const json::value& word : value->get_array()) {
    if (!word.is_string()) return Refuse(field, "must be a text or a list of texts");
    words.Add(std::string_view(word.get_string()));
  }
  return words;
}

Status RequireWords(const json::object& spec) {
  YARD_TRY(RequireSplits(spec));
  for (const json::value& step : ListOrEmpty(spec, "steps")) {
    if (step.is_object()) YARD_TRY(RequireSplits(step.get_object()));
  }
  return {};
}

std::string_view NameOf(Framework framework) {
  const auto* known = std::ranges::find(kFrameworks, framework, &Named::first);
  return known == kFrameworks.end() ? std::string_view() : known->second;
}

void ChangeSpec(json::object& spec, const SpecChange& change) {
  if (change.priority_class) spec["priorityClass"] = *change.priority_class;
  if (change.preemptible) {
    spec["preemptibility"] = *change.preemptible ? "preemptible" : "non-preemptible";
  }
  if (change.time_limit) spec["timeLimitSeconds"] = change.time_limit->value / 1'000'000;
  if (change.stop_at) spec["stopAt"] = FormatRfc3339(*change.stop_at);
  if (!change.gpu_portion_limit && !change.gpu_memory_limit) return;
  json::value& compute = spec["compute"];
  if (!compute.is_object()) compute.emplace_object();
  if (change.gpu_portion_limit) {
    compute.get_object()["gpuPortionLimit"] = *change.gpu_portion_limit;
  } else {
    compute.get_object()["gpuMemoryLimit"] = *change.gpu_memory_limit;
  }
}

}  // namespace yard::wire

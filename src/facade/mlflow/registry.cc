#include "facade/mlflow/registry.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/strings.h"
#include "facade/mlflow/render.h"

namespace yard::facade::mlflow {

std::optional<std::string> StageNamed(std::string_view name) {
  constexpr std::array<std::string_view, 4> kStages{kNoStage, "Staging", "Production", "Archived"};
  for (std::string_view stage : kStages) {
    if (EqualsIgnoreCase(stage, name)) return std::string(stage);
  }
  return std::nullopt;
}

void WriteVersion(wire::Writer& w, const RegisteredModel& model, const ModelVersion& version) {
  w.Begin();
  w("name", version.name);
  w("version", std::to_string(version.version));
  w("creation_timestamp", Milliseconds(version.created_at));
  w("last_updated_timestamp", Milliseconds(version.updated_at));
  w("user_id", version.user);
  w("current_stage", version.stage);
  w("description", version.description);
  w("source", version.source);
  w("run_id", version.run);
  w("run_link", version.run_link);
  w("status", "READY");
  if (!version.model.empty()) w("model_id", version.model);
  WriteKeyValues(w, "tags", version.tags);
  w.Key("aliases");
  w.BeginList();
  for (const auto& [alias, number] : model.aliases) {
    if (number != std::to_string(version.version)) continue;
    w.Item();
    w.Value(alias);
  }
  w.EndList();
  w.End();
}

void WriteRegistered(wire::Writer& w, const RegisteredModel& model,
                     const std::vector<Shared<ModelVersion>>& latest) {
  w.Begin();
  w("name", model.name);
  w("creation_timestamp", Milliseconds(model.created_at));
  w("last_updated_timestamp", Milliseconds(model.updated_at));
  w("description", model.description);
  w.Key("latest_versions");
  w.BeginList();
  for (const Shared<ModelVersion>& version : latest) {
    w.Item();
    WriteVersion(w, model, *version);
  }
  w.EndList();
  WriteKeyValues(w, "tags", model.tags);
  w.Key("aliases");
  w.BeginList();
  for (const auto& [alias, number] : model.aliases) {
    w.Item();
    w.Begin();
    w("alias", alias);
    w("version", number);
    w.End();
  }
  w.EndList();
  w.End();
}

std::vector<Shared<ModelVersion>> VersionsOf(const control::Catalog& catalog,
                                             const RegisteredModel& model) {
  auto versions = catalog.Select<ModelVersion>([&](const ModelVersion& version) {
    return version.project == model.project && version.name == model.name;
  });
  std::ranges::sort(versions, {}, [](const auto& version) { return version->version; });
  return versions;
}

std::vector<Shared<ModelVersion>> LatestOf(const control::Catalog& catalog,
                                           const RegisteredModel& model) {
  std::map<std::string, Shared<ModelVersion>> by_stage;
  for (Shared<ModelVersion>& version : VersionsOf(catalog, model)) {
    by_stage[version->stage] = version;
  }
  std::vector<Shared<ModelVersion>> latest;
  for (auto& [stage, version] : by_stage) latest.push_back(std::move(version));
  return latest;
}

bool TagFulfils(const Tags& tags, const control::Condition& condition) {
  auto found = tags.find(condition.field.key);
  if (found != tags.end()) return Fulfils(std::string_view(found->second), condition);
  return condition.comparison == control::Comparison::kNotEqual || Fulfils({}, condition);
}

Result<RegisteredModel> RegisteredIn(const TrackTxn& txn, const RegisteredModel& known) {
  Shared<RegisteredModel> now = txn.Find<RegisteredModel>(KeyOf(known));
  if (now) return *now;
  return Fail(Code::kNotFound, fmt::format("registered model '{}' does not exist", known.name));
}

}  // namespace yard::facade::mlflow

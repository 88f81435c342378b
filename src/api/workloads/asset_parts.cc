#include "api/workloads/asset_parts.h"

#include <algorithm>
#include <span>
#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/uuid.h"
#include "control/commands/assets.h"
#include "wire/asset_fill.h"
#include "wire/enums.h"
#include "wire/fields.h"

namespace yard::api {
namespace {

using control::AssetSight;
using control::State;
using enum AssetKind;

constexpr AssetKind kEnvironments[] = {kEnvironment};
constexpr AssetKind kComputes[] = {kCompute};
constexpr AssetKind kTemplates[] = {kTemplate};
constexpr AssetKind kSources[] = {kNfs, kPvc, kHostPath, kGit, kS3, kConfigMap, kSecretVolume};
constexpr std::size_t kMostSources = 64;

// Finds assets by name or id, and fills a spec from them.
class Parts {
 public:
  Parts(const Call& call, const ScopePath& project)
      : state_(call.state()), sight_(call.state(), call.who()), project_(project) {}

  Status Template(json::object& spec, std::string_view name);
  Status Environment(json::object& spec, std::string_view name);
  Status Compute(json::object& spec, std::string_view name);
  Status Source(json::object& spec, const json::object& said);
  // What was taken, as the spec keeps it.
  json::object Taken() &&;

 private:
  Result<Ptr<Asset>> Find(std::span<const AssetKind> kinds, std::string_view name) const;

  const State& state_;
  AssetSight sight_;
  ScopePath project_;
  json::object taken_;
  json::array sources_;
};

// Of several of one name, the one nearest to the project.
Result<Ptr<Asset>> Parts::Find(std::span<const AssetKind> kinds, std::string_view name) const {
  const std::optional<Uuid> id = ParseUuid(name);
  Ptr<Asset> best;
  state_.Of<Asset>().Each([&](const Asset& asset) {
    const bool named = id ? asset.id.value == *id : asset.name == name;
    if (!named || std::ranges::find(kinds, asset.kind) == kinds.end()) return;
    const std::optional<ScopePath> path = state_.PathOf(asset.scope);
    if (!path || !path->Covers(project_) || !sight_.Sees(asset)) return;
    if (!best || asset.scope.type > best->scope.type) best = state_.Find<Asset>(asset.id);
  });
  if (best) return best;
  const bool source = kinds.size() > 1;
  const std::string_view what = source ? "data source" : control::Describe(kinds.front());
  return Fail(Code::kNotFound, fmt::format("there is no {} '{}' for this project", what, name),
              "name one of its project, its department or the whole site, by name or id");
}

Status Parts::Environment(json::object& spec, std::string_view name) {
  if (name.empty() || taken_.contains("environment")) return {};
  YARD_ASSIGN(Ptr<Asset> asset, Find(kEnvironments, name));
  YARD_ASSIGN(json::value said, ParseJson(asset->spec.json));
  wire::FillFromEnvironment(spec, said.as_object());
  taken_["environment"] = asset->name;
  taken_["environmentId"] = FormatUuid(asset->id.value);
  return {};
}

Status Parts::Compute(json::object& spec, std::string_view name) {
  if (name.empty() || taken_.contains("compute")) return {};
  YARD_ASSIGN(Ptr<Asset> asset, Find(kComputes, name));
  YARD_ASSIGN(json::value said, ParseJson(asset->spec.json));
  wire::FillFromCompute(spec, said.as_object());
  taken_["compute"] = asset->name;
  return {};
}

// A data source of a submission says its path itself, that of a template below `overrides`.
Status Parts::Source(json::object& spec, const json::object& said) {
  const std::string_view id = wire::TextOrEmpty(said, "id");
  const std::string_view name = id.empty() ? wire::TextOrEmpty(said, "name") : id;
  const json::object& overrides = wire::ObjectOrEmpty(said, "overrides");
  const std::string_view own = wire::TextOrEmpty(said, "containerPath");
  const std::string_view path = own.empty() ? wire::TextOrEmpty(overrides, "containerPath") : own;
  YARD_ASSIGN(Ptr<Asset> asset, Find(kSources, name));
  YARD_TRY(wire::FillFromDataSource(spec, *asset, path));
  sources_.push_back(json::object{{"type", wire::ToName(asset->kind)},
                                  {"name", asset->name},
                                  {"id", FormatUuid(asset->id.value)}});
  return {};
}

// Its assets come after those that the submission names itself.
Status Parts::Template(json::object& spec, std::string_view name) {
  if (name.empty()) return {};
  YARD_ASSIGN(Ptr<Asset> asset, Find(kTemplates, name));
  YARD_ASSIGN(json::value parsed, ParseJson(asset->spec.json));
  const json::object& said = parsed.as_object();
  wire::FillFromTemplate(spec, wire::ObjectOrEmpty(said, "specificEnv"));
  const json::object& assets = wire::ObjectOrEmpty(said, "assets");
  YARD_TRY(Environment(spec, wire::TextOrEmpty(assets, "environment")));
  YARD_TRY(Compute(spec, wire::TextOrEmpty(assets, "compute")));
  for (const json::value& item : wire::ListOrEmpty(assets, "datasources")) {
    if (item.is_object()) YARD_TRY(Source(spec, item.get_object()));
  }
  taken_["template"] = asset->name;
  return {};
}

json::object Parts::Taken() && {
  if (!sources_.empty()) taken_["datasources"] = std::move(sources_);
  taken_["applied"] = true;
  return std::move(taken_);
}

}  // namespace

Result<std::optional<json::object>> WithAssets(Call& call, ProjectId project,
                                               const json::object* spec) {
  const json::object* assets = spec == nullptr ? nullptr : wire::ObjectIn(*spec, "assets");
  if (assets == nullptr || wire::FlagOrFalse(*assets, "applied"))
    return std::optional<json::object>();
  const Ptr<Project> where = call.state().Find<Project>(project);
  if (!where) return std::optional<json::object>();  // refused by name later
  const json::array& sources = wire::ListOrEmpty(*assets, "datasources");
  if (sources.size() > kMostSources)
    return Fail(Code::kInvalid, "spec.assets.datasources: more than 64 data sources");
  json::object filled = *spec;
  Parts parts(call, call.state().PathOf(*where));
  YARD_TRY(parts.Environment(filled, wire::TextOrEmpty(*assets, "environment")));
  YARD_TRY(parts.Compute(filled, wire::TextOrEmpty(*assets, "compute")));
  for (const json::value& item : sources) {
    if (item.is_object()) YARD_TRY(parts.Source(filled, item.get_object()));
  }
  YARD_TRY(parts.Template(filled, wire::TextOrEmpty(*assets, "template")));
  filled["assets"] = std::move(parts).Taken();
  return std::optional(std::move(filled));
}

}  // namespace yard::api

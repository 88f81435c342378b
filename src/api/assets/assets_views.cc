#include "api/assets/assets_views.h"

#include <algorithm>

#include <boost/json/value.hpp>

#include "api/assets/assets_compliance.h"
#include "api/assets/assets_kinds.h"
#include "base/json_text.h"
#include "base/strings.h"
#include "control/commands/assets_uses.h"

namespace yard::api {
namespace {

using control::State;

// Stands where the contract wants a password; the real one is never shown.
constexpr std::string_view kHidden = "********";

json::object ParseObject(const Document& document) {
  Result<json::value> value = ParseJson(document.json);
  return value && value->is_object() ? std::move(value->get_object()) : json::object();
}

wire::AssetName NameOf(const Asset& asset) {
  return {FormatUuid(asset.id.value), asset.name};
}

Ptr<Asset> FindAsset(const State& state, const json::value& id) {
  std::optional<Uuid> uuid =
      id.is_string() ? ParseUuid(std::string_view(id.get_string())) : std::nullopt;
  return uuid ? state.Find<Asset>(AssetId{*uuid}) : nullptr;
}

// An id becomes {id, name}.
json::value Named(const State& state, const json::value& id) {
  Ptr<Asset> asset = FindAsset(state, id);
  if (!asset) return nullptr;
  return json::object{{"id", id}, {"name", asset->name}};
}

// The tools an environment offers, for templates that use it.
json::array ToolsOf(const Asset& environment) {
  json::array tools;
  json::object spec = ParseObject(environment.spec);
  json::value* connections = spec.if_contains("connections");
  if (connections == nullptr || !connections->is_array()) return tools;
  for (const json::value& connection : connections->get_array()) {
    for (std::string_view key : {"internalToolInfo", "externalToolInfo"}) {
      const json::value* tool = connection.as_object().if_contains(key);
      if (tool != nullptr && tool->is_object()) tools.push_back(tool->at("toolType"));
    }
  }
  return tools;
}

// A template is sent with ids and shown with names.
void NameTemplateAssets(const State& state, json::object& spec) {
  json::value* found = spec.if_contains("assets");
  if (found == nullptr || !found->is_object()) return;
  json::object& assets = found->get_object();
  for (std::string_view key : {"environment", "compute"}) {
    json::value* id = assets.if_contains(key);
    if (id == nullptr || id->is_null()) continue;
    Ptr<Asset> asset = FindAsset(state, *id);
    *id = Named(state, *id);
    if (key == "environment" && asset) id->as_object()["toolTypes"] = ToolsOf(*asset);
  }
  json::value* sources = assets.if_contains("datasources");
  if (sources == nullptr || !sources->is_array()) return;
  for (json::value& source : sources->get_array()) {
    Ptr<Asset> asset = FindAsset(state, source.at("id"));
    if (asset) source.as_object()["name"] = asset->name;
  }
}

std::string SpecOf(const State& state, const Asset& asset) {
  bool plain = asset.kind != AssetKind::kTemplate && asset.kind != AssetKind::kRegistry &&
               !control::IsCredential(asset.kind);
  if (plain) return asset.spec.json;
  json::object spec = ParseObject(asset.spec);
  if (asset.kind == AssetKind::kTemplate) NameTemplateAssets(state, spec);
  if (asset.kind == AssetKind::kRegistry) spec["password"] = kHidden;
  if (control::IsCredential(asset.kind)) spec["keyId"] = asset.key_id;
  return JsonText(spec);
}

wire::AssetUse UseOf(const State& state, const Asset& asset, const control::AssetSight& sight) {
  wire::AssetUse use;
  for (const Ptr<Asset>& user : control::UsersOf(state, asset.id).assets) {
    if (!sight.Sees(*user)) continue;
    if (user->kind == AssetKind::kTemplate) {
      use.templates.push_back(NameOf(*user));
    } else if (user->kind == AssetKind::kEnvironment) {
      use.environments.push_back(NameOf(*user));
    } else {
      use.sources.push_back({NameOf(*user), user->kind});
    }
  }
  return use;
}

std::optional<ProjectId> ProjectOf(const Asset& asset) {
  std::optional<std::int64_t> id = ParseInt(asset.scope.id);
  bool project = asset.scope.type == ScopeType::kProject;
  return project && id ? std::optional(ProjectId{*id}) : std::nullopt;
}

// The scope a list is asked for, and whether it must be exactly that one.
Result<std::optional<Scope>> ReadPlace(const Call& call) {
  std::optional<Scope> place;
  if (auto id = call.Query("clusterId")) place = Scope{ScopeType::kCluster, std::string(*id)};
  if (auto id = call.Query("departmentId")) place = Scope{ScopeType::kDepartment, std::string(*id)};
  if (auto id = call.Query("projectId")) place = Scope{ScopeType::kProject, std::string(*id)};
  if (place && !call.state().PathOf(*place)) {
    return Fail(Code::kInvalid, "the scope to list assets of does not exist",
                "give projectId, departmentId or clusterId of something that exists");
  }
  return place;
}

// Whether an asset says that it is made for a type of workload. One that says nothing is for all.
bool Supports(const Asset& asset, std::string_view type) {
  json::object meta = ParseObject(asset.meta);
  json::value* types = meta.if_contains("workloadSupportedTypes");
  if (types == nullptr || !types->is_object()) return true;
  const json::value* flag = types->get_object().if_contains(type);
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

std::string FrameworkOf(const Asset& asset) {
  json::object meta = ParseObject(asset.meta);
  json::value* types = meta.if_contains("workloadSupportedTypes");
  if (types == nullptr || !types->is_object()) return "";
  const json::value* name = types->get_object().if_contains("distFramework");
  return name != nullptr && name->is_string() ? std::string(std::string_view(name->get_string()))
                                              : "";
}

bool FitsWorkload(const Call& call, const Asset& asset) {
  using Pair = std::pair<std::string_view, std::string_view>;
  for (auto [parameter, type] :
       {Pair{"isWorkspace", "workspace"}, Pair{"isTraining", "training"},
        Pair{"isInference", "inference"}, Pair{"isDistributed", "distributed"}}) {
    std::optional<std::string_view> wanted = call.Query(parameter);
    if (wanted && Supports(asset, type) != (*wanted == "true")) return false;
  }
  std::optional<std::string_view> framework = call.Query("distributedFramework");
  return !framework || FrameworkOf(asset) == *framework;
}

bool FitsNames(const Call& call, const Asset& asset) {
  std::optional<std::string_view> name = call.Query("name");
  if (name && asset.name != *name) return false;
  std::optional<std::string_view> scope = call.Query("scope");
  if (scope && wire::ToName(asset.scope.type) != *scope) return false;
  std::optional<std::string_view> ids = call.Query("assetIds");
  if (!ids) return true;
  std::vector<std::string_view> wanted = Split(*ids, ',');
  return std::ranges::find(wanted, FormatUuid(asset.id.value)) != wanted.end();
}

// With a place and its own scope type: the assets of that place. With a place alone: also those
// above it, which can be used there.
bool FitsPlace(const State& state, const Asset& asset, const Scope& place) {
  if (asset.scope == place) return true;
  std::optional<ScopePath> at = state.PathOf(asset.scope);
  std::optional<ScopePath> wanted = state.PathOf(place);
  return at && wanted && at->Covers(*wanted);
}

}  // namespace

Result<AssetExtras> ReadExtras(const Call& call) {
  AssetExtras extras;
  if (call.Query("usageInfo") == "true") extras.usage.emplace(call.state(), call.who());
  extras.status = call.Query("statusInfo") == "true";
  YARD_ASSIGN(extras.comply, ReadSubmission(call));
  return extras;
}

wire::AssetView ViewOf(const State& state, const Asset& asset, const AssetExtras& extras,
                       SpecForm form) {
  wire::AssetView view{.asset = &asset, .spec = SpecOf(state, asset)};
  if (form == SpecForm::kUnderKind) view.spec_key = RowOf(asset.kind).list_key;
  if (std::optional<ProjectId> id = ProjectOf(asset)) {
    if (Ptr<Project> project = state.Find<Project>(*id)) view.project_name = project->name;
  }
  if (extras.usage) view.use = UseOf(state, asset, *extras.usage);
  if (extras.comply) view.compliance = ComplianceOf(state, asset, *extras.comply);
  view.shows_status = extras.status;
  return view;
}

Result<AssetFilter> ReadFilter(const Call& call) {
  YARD_ASSIGN(std::optional<Scope> place, ReadPlace(call));
  return AssetFilter([&call, place](const Asset& asset) {
    if (!FitsNames(call, asset) || !FitsWorkload(call, asset)) return false;
    return !place || FitsPlace(call.state(), asset, *place);
  });
}

}  // namespace yard::api

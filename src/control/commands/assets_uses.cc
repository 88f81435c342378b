#include "control/commands/assets_uses.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "control/commands/assets.h"
#include "control/policy/values.h"

namespace yard::control {
namespace {

using enum AssetKind;

const std::vector<AssetKind> kCredentials{kAccessKey, kDockerRegistry, kPassword, kGenericSecret};
const std::vector<AssetKind> kDataSources{kS3,       kGit,       kNfs,          kPvc,
                                          kHostPath, kConfigMap, kSecretVolume, kDataVolume};

void AddLink(const json::object& object, std::string_view key, AssetLink link,
             std::vector<AssetLink>& links) {
  const json::value* id = ValueIn(object, key);
  if (id == nullptr || !id->is_string()) return;
  link.id = std::string_view(id->get_string());
  links.push_back(std::move(link));
}

void AddVariableLinks(const json::object& spec, std::vector<AssetLink>& links) {
  const json::array* variables = ListIn(spec, "environmentVariables");
  for (std::size_t i = 0; variables != nullptr && i < variables->size(); ++i) {
    const json::object* variable = (*variables)[i].if_object();
    const json::object* credential =
        variable == nullptr ? nullptr : ObjectIn(*variable, "credential");
    if (credential == nullptr) continue;
    std::string field = fmt::format("spec.environmentVariables[{}].credential.assetId", i);
    AddLink(*credential, "assetId", {std::move(field), "", kCredentials}, links);
  }
}

void AddTemplateLinks(const json::object& spec, std::vector<AssetLink>& links) {
  if (const json::object* own = ObjectIn(spec, "specificEnv")) AddVariableLinks(*own, links);
  const json::object* assets = ObjectIn(spec, "assets");
  if (assets == nullptr) return;
  AddLink(*assets, "environment", {"spec.assets.environment", "", {kEnvironment}}, links);
  AddLink(*assets, "compute", {"spec.assets.compute", "", {kCompute}}, links);
  const json::array* sources = ListIn(*assets, "datasources");
  for (std::size_t i = 0; sources != nullptr && i < sources->size(); ++i) {
    const json::object* source = (*sources)[i].if_object();
    if (source == nullptr) continue;
    AddLink(*source, "id", {fmt::format("spec.assets.datasources[{}].id", i), "", kDataSources},
            links);
  }
}

bool MayLink(AssetKind kind) {
  return kind == kTemplate || kind == kEnvironment || kind == kGit || kind == kS3 ||
         kind == kSecretVolume;
}

Status CheckLink(const State& state, const AssetLink& link, const ScopePath& from) {
  std::optional<Uuid> id = ParseUuid(link.id);
  Ptr<Asset> target = id ? state.Find<Asset>(AssetId{*id}) : nullptr;
  bool fits = target && std::ranges::find(link.kinds, target->kind) != link.kinds.end();
  if (!fits) {
    return Fail(
        Code::kInvalid,
        fmt::format("{}: there is no {} {}", link.field, Describe(link.kinds.front()), link.id),
        "name an existing asset by its id");
  }
  std::optional<ScopePath> path = state.PathOf(target->scope);
  if (path && path->Covers(from)) return {};
  return Fail(Code::kInvalid,
              fmt::format("{}: '{}' belongs to another scope", link.field, target->name),
              "use an asset of the same scope or of one above it");
}

}  // namespace

std::vector<AssetLink> LinksIn(AssetKind kind, const json::object& spec) {
  std::vector<AssetLink> links;
  if (kind == kTemplate) AddTemplateLinks(spec, links);
  if (kind == kEnvironment) AddVariableLinks(spec, links);
  if (kind == kGit) {
    AddLink(spec, "passwordAssetId", {"spec.passwordAssetId", "", {kPassword}}, links);
  }
  if (kind == kS3) {
    AddLink(spec, "accessKeyAssetId", {"spec.accessKeyAssetId", "", {kAccessKey}}, links);
  }
  if (kind == kSecretVolume) {
    AddLink(spec, "credentialAssetId", {"spec.credentialAssetId", "", kCredentials}, links);
  }
  return links;
}

Status CheckLinks(const State& state, const std::vector<AssetLink>& links, const ScopePath& from) {
  for (const AssetLink& link : links) YARD_TRY(CheckLink(state, link, from));
  return {};
}

AssetUsers UsersOf(const State& state, AssetId id) {
  AssetUsers users;
  std::string text = FormatUuid(id.value);
  state.Of<Asset>().Each([&](const Asset& other) {
    if (!MayLink(other.kind)) return;
    Result<json::value> spec = ParseJson(other.spec.json);
    if (!spec || !spec->is_object()) return;
    for (const AssetLink& link : LinksIn(other.kind, spec->get_object())) {
      if (ParseUuid(link.id) != id.value) continue;
      users.assets.push_back(state.Find<Asset>(other.id));
      return;
    }
  });
  state.Of<Policy>().Each([&](const Policy& policy) {
    if (policy.policy.json.find(text) != std::string::npos) {
      users.policies.push_back(state.Find<Policy>(policy.id));
    }
  });
  return users;
}

}  // namespace yard::control

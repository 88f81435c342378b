#include "wire/asset_links.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "wire/fields.h"

namespace yard::wire {
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

bool Holds(const json::value& value, std::string_view text) {
  if (const json::string* own = value.if_string()) return std::string_view(*own) == text;
  auto holds = [&](const json::value& item) { return Holds(item, text); };
  if (const json::array* list = value.if_array()) return std::ranges::any_of(*list, holds);
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  return std::ranges::any_of(*object, [&](const auto& pair) { return Holds(pair.value(), text); });
}

}  // namespace

std::vector<AssetLink> LinksIn(const Asset& asset) {
  std::vector<AssetLink> links;
  const AssetKind kind = asset.kind;
  if (!MayLink(kind)) return links;
  Result<json::value> parsed = ParseJson(asset.spec.json);
  if (!parsed || !parsed->is_object()) return links;
  const json::object& spec = parsed->get_object();
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

bool Names(const Policy& policy, AssetId asset) {
  Result<json::value> document = ParseJson(policy.policy.json);
  return document && Holds(*document, FormatUuid(asset.value));
}

}  // namespace yard::wire

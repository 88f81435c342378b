#include "control/launch/secrets.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "control/commands/assets.h"
#include "control/policy/credential_rules.h"

namespace yard::control {
namespace {

bool IsRegistry(const Asset& asset) {
  return asset.kind == AssetKind::kDockerRegistry || asset.kind == AssetKind::kRegistry;
}

// The host a registry's credential is for; empty if it does not say.
std::string HostOf(const Asset& asset) {
  return RegistryHost(wire::RegistryUrl(asset));
}

}  // namespace

SecretSource::SecretSource(const State& state, const Vault* vault, const Workload& workload)
    : state_(state),
      vault_(vault),
      where_(state.PathOf(workload)),
      may_use_(MayUseCredentials(state, OwnerOf(state, workload), where_)) {}

bool SecretSource::Reaches(const Asset& asset) const {
  std::optional<ScopePath> path = state_.PathOf(asset.scope);
  if (!path || ResourceOf(asset.kind) != Resource::kCredentials) return false;
  return (!path->cluster || path->cluster == where_.cluster) &&
         (!path->department || path->department == where_.department) &&
         (!path->project || path->project == where_.project);
}

Result<SecretValues> SecretSource::Open(const Asset& asset) const {
  std::string secret;
  if (!asset.sealed_secret.empty()) {
    if (vault_ == nullptr) return Fail(Code::kUnavailable, "this server cannot open secrets");
    YARD_ASSIGN(secret, vault_->Open(asset.sealed_secret));
  }
  return wire::ReadSecretValues(asset, secret);
}

Result<Ptr<Asset>> SecretSource::FindAsset(std::string_view name_or_id) const {
  if (!may_use_) {
    return Fail(Code::kForbidden, "the work's owner may not use credentials in this project",
                "ask an administrator for a role that may read credentials there");
  }
  Ptr<Asset> found;
  state_.Of<Asset>().Each([&](const Asset& asset) {
    bool named = asset.name == name_or_id || FormatUuid(asset.id.value) == name_or_id;
    if (!named || !IsCredential(asset.kind) || !Reaches(asset)) return true;
    found = state_.Find<Asset>(asset.id);
    return false;
  });
  if (found) return found;
  return Fail(Code::kNotFound,
              fmt::format("there is no credential '{}' for this project", name_or_id),
              "make one, or correct the name");
}

Result<SecretValues> SecretSource::Find(std::string_view name_or_id) const {
  YARD_ASSIGN(Ptr<Asset> asset, FindAsset(name_or_id));
  return Open(*asset);
}

Result<std::string> SecretSource::Value(std::string_view name_or_id, std::string_view key) const {
  YARD_ASSIGN(SecretValues values, Find(name_or_id));
  if (auto at = values.find(key); at != values.end()) return at->second;
  for (const auto& [known, value] : values) {
    if (EqualsIgnoreCase(known, key)) return value;
  }
  return Fail(Code::kNotFound, fmt::format("credential '{}' has no key '{}'", name_or_id, key));
}

Result<SecretValues> SecretSource::ForImage(std::string_view image) const {
  if (!may_use_) return SecretValues{};
  std::string host = RegistryOfImage(image);
  Ptr<Asset> found;
  state_.Of<Asset>().Each([&](const Asset& asset) {
    if (!IsRegistry(asset) || !Reaches(asset) || HostOf(asset) != host) return true;
    found = state_.Find<Asset>(asset.id);
    return false;
  });
  if (!found) return SecretValues{};
  return Open(*found);
}

Result<SecretValues> SecretSource::ForImage(std::string_view image,
                                            std::string_view name_or_id) const {
  YARD_ASSIGN(Ptr<Asset> asset, FindAsset(name_or_id));
  std::string host = RegistryOfImage(image);
  if (IsRegistry(*asset) && HostOf(*asset) != host) {
    return Fail(Code::kInvalid,
                fmt::format("the credential '{}' is for the registry '{}', and the image '{}' is "
                            "at '{}'",
                            asset->name, HostOf(*asset), image, host),
                "name a credential of the image's own registry");
  }
  return Open(*asset);
}

}  // namespace yard::control

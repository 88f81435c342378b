#include "control/commands/assets.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/commands/assets_uses.h"
#include "control/commands/text_room.h"
#include "control/policy/asset_specs.h"
#include "control/policy/host_rules.h"
#include "wire/asset.h"

namespace yard::control {
namespace {

// The key that seals secrets; a number, since keys may change one day.
constexpr std::int64_t kKeyId = 1;

Result<ScopePath> PlaceOf(const State& state, const Scope& scope) {
  if (scope.type == ScopeType::kSystem) {
    return Fail(Code::kInvalid, "meta.scope: only the product itself has assets of scope system",
                "use tenant, cluster, department or project");
  }
  if (std::optional<ScopePath> path = state.PathOf(scope)) return *path;
  return Fail(Code::kInvalid,
              fmt::format("meta.scope: there is no such scope: id '{}' does not exist", scope.id),
              "give clusterId, departmentId or projectId of something that exists");
}

Status CheckNameFree(const State& state, const Asset& asset) {
  Status status;
  state.Of<Asset>().Each([&](const Asset& other) {
    bool same = other.kind == asset.kind && other.scope == asset.scope &&
                other.name == asset.name && other.id != asset.id;
    if (!same) return true;
    status = Fail(Code::kConflict,
                  fmt::format("a {} named '{}' exists already at this scope", Describe(asset.kind),
                              asset.name),
                  "choose another name, or update the one that is there");
    return false;
  });
  return status;
}

Status CheckAssetLinks(const Txn& txn, const Asset& asset, const ScopePath& path) {
  if (asset.kind == AssetKind::kHostPath) {
    YARD_TRY(RequireHostPathAsset(txn.state(), txn.who(), asset, path));
  }
  return CheckLinks(txn.state(), asset, path);
}

Error InUse(const Asset& asset, std::string_view by) {
  // The contract has 412 for credentials only.
  Code code = IsCredential(asset.kind) ? Code::kPrecondition : Code::kConflict;
  return {code, fmt::format("{} '{}' is used by {}", Describe(asset.kind), asset.name, by),
          "change or delete what uses it first"};
}

}  // namespace

Resource ResourceOf(AssetKind kind) {
  switch (kind) {
    case AssetKind::kCompute:
      return Resource::kComputeResources;
    case AssetKind::kEnvironment:
      return Resource::kEnvironments;
    case AssetKind::kAccessKey:
    case AssetKind::kDockerRegistry:
    case AssetKind::kPassword:
    case AssetKind::kGenericSecret:
    case AssetKind::kRegistry:
      return Resource::kCredentials;
    case AssetKind::kS3:
      return Resource::kS3Assets;
    case AssetKind::kGit:
      return Resource::kGitAssets;
    case AssetKind::kNfs:
      return Resource::kNfsAssets;
    case AssetKind::kPvc:
      return Resource::kPvcAssets;
    case AssetKind::kHostPath:
      return Resource::kHostPathAssets;
    case AssetKind::kTemplate:
      return Resource::kTemplates;
    case AssetKind::kConfigMap:
      return Resource::kConfigMapAssets;
    case AssetKind::kSecretVolume:
      return Resource::kSecretAssets;
    case AssetKind::kDataVolume:
      return Resource::kDataVolumes;
  }
  return Resource::kComputeResources;
}

bool IsCredential(AssetKind kind) {
  return ResourceOf(kind) == Resource::kCredentials && kind != AssetKind::kRegistry;
}

bool IsDataSource(AssetKind kind) {
  return !wire::StorageKeyOf(kind).empty();
}

std::string_view Describe(AssetKind kind) {
  switch (kind) {
    case AssetKind::kCompute:
      return "compute resource";
    case AssetKind::kEnvironment:
      return "environment";
    case AssetKind::kAccessKey:
      return "access key";
    case AssetKind::kDockerRegistry:
      return "docker registry credential";
    case AssetKind::kPassword:
      return "password";
    case AssetKind::kGenericSecret:
      return "generic secret";
    case AssetKind::kRegistry:
      return "registry";
    case AssetKind::kTemplate:
      return "template";
    case AssetKind::kDataVolume:
      return "data volume";
    case AssetKind::kS3:
    case AssetKind::kGit:
    case AssetKind::kNfs:
    case AssetKind::kPvc:
    case AssetKind::kHostPath:
    case AssetKind::kConfigMap:
    case AssetKind::kSecretVolume:
      return "data source";
  }
  return "asset";
}

bool AssetSight::Sees(const Asset& asset) const {
  std::optional<ScopePath> at = state_.PathOf(asset.scope);
  if (!at) return false;
  std::vector<ScopePath> readable = access_.Where(ResourceOf(asset.kind), Action::kRead);
  return std::ranges::any_of(
      readable, [&](const ScopePath& path) { return path.Covers(*at) || at->Covers(path); });
}

Result<Ptr<Asset>> GetAsset(const State& state, AssetKind kind, AssetId id) {
  Ptr<Asset> asset = state.Find<Asset>(id);
  if (asset && asset->kind == kind) return asset;
  return Fail(Code::kNotFound,
              fmt::format("there is no {} {}", Describe(kind), FormatUuid(id.value)),
              "see the list of its kind under /api/v1/asset for the ids");
}

Result<Ptr<Asset>> CreateAsset(Txn& txn, const AssetDraft& draft) {
  YARD_ASSIGN(ScopePath path, PlaceOf(txn.state(), draft.scope));
  YARD_TRY(txn.Require(ResourceOf(draft.kind), Action::kCreate, path));
  Asset asset{.kind = draft.kind,
              .name = draft.name,
              .description = draft.description.value_or(""),
              .scope = draft.scope,
              .meta = draft.meta.value_or(Document{}),
              .spec = draft.spec.value_or(Document{}),
              .sealed_secret = draft.sealed_secret.value_or("")};
  YARD_TRY(CheckNameFree(txn.state(), asset));
  YARD_TRY(CheckAssetLinks(txn, asset, path));
  YARD_TRY(RefuseMaskedSpec(asset));
  asset.id = AssetId{txn.NewUuid()};
  asset.key_id = IsCredential(asset.kind) ? kKeyId : 0;
  asset.stamp = txn.NewStamp();
  YARD_TRY(RequireTextRoom(txn.state(), asset));
  return txn.Put(std::move(asset));
}

Result<Ptr<Asset>> UpdateAsset(Txn& txn, AssetId id, const AssetDraft& draft) {
  YARD_ASSIGN(Ptr<Asset> current, GetAsset(txn.state(), draft.kind, id));
  YARD_ASSIGN(ScopePath path, PlaceOf(txn.state(), current->scope));
  YARD_TRY(txn.Require(ResourceOf(draft.kind), Action::kUpdate, path));
  Asset asset = *current;
  if (!draft.name.empty()) asset.name = draft.name;
  asset.description = draft.description.value_or(asset.description);
  if (draft.spec) {
    YARD_ASSIGN(asset.spec, EditAssetSpec(*current, *draft.spec, draft.edit));
  }
  asset.sealed_secret = draft.sealed_secret.value_or(asset.sealed_secret);
  YARD_TRY(CheckNameFree(txn.state(), asset));
  YARD_TRY(CheckAssetLinks(txn, asset, path));
  YARD_TRY(RequireTextRoom(txn.state(), asset));
  txn.Touch(asset.stamp);
  return txn.Put(std::move(asset));
}

Status DeleteAsset(Txn& txn, AssetKind kind, AssetId id) {
  YARD_ASSIGN(Ptr<Asset> asset, GetAsset(txn.state(), kind, id));
  YARD_ASSIGN(ScopePath path, PlaceOf(txn.state(), asset->scope));
  YARD_TRY(txn.Require(ResourceOf(kind), Action::kDelete, path));
  AssetUsers users = UsersOf(txn.state(), id);
  if (!users.assets.empty()) {
    const Asset& user = *users.assets.front();
    return Fail(InUse(*asset, fmt::format("{} '{}'", Describe(user.kind), user.name)));
  }
  if (!users.policies.empty()) {
    return Fail(InUse(*asset, fmt::format("policy '{}'", users.policies.front()->name)));
  }
  txn.Erase<Asset>(id);
  return {};
}

}  // namespace yard::control

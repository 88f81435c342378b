#include "api/assets/assets_kinds.h"

#include <array>

#include "base/check.h"

namespace yard::api {
namespace {

using enum AssetKind;
using enum control::SpecEdit;

constexpr std::array<AssetRow, 15> kRows{{
    {kCompute, "/api/v1/asset/compute", "ComputeDraft", "ComputeUpdate"},
    {kEnvironment, "/api/v1/asset/environment", "EnvironmentDraft", "EnvironmentUpdate"},
    {kTemplate, "/api/v1/asset/workload-template", "TemplateDraft", "TemplateUpdate"},
    {kAccessKey, "/api/v1/asset/credentials/access-key", "AccessKeyDraft", "AccessKeyUpdate",
     kOverlay, "accessKey"},
    {kPassword, "/api/v1/asset/credentials/password", "PasswordDraft", "PasswordUpdate", kOverlay,
     "password"},
    {kDockerRegistry, "/api/v1/asset/credentials/docker-registry", "DockerRegistryDraft",
     "DockerRegistryUpdate", kOverlay, "dockerRegistry"},
    {kGenericSecret, "/api/v1/asset/credentials/generic-secret", "GenericSecretDraft",
     "GenericSecretUpdate", kOverlay, "genericSecret", 202, 202, 204},
    {kRegistry, "/api/v1/asset/registries", "RegistryDraft", "RegistryUpdate", kOverlay, "", 201,
     200, 204},
    {kGit, "/api/v1/asset/datasource/git", "GitDraft", "GitUpdate", kReplace, "git"},
    {kHostPath, "/api/v1/asset/datasource/host-path", "HostPathDraft", "HostPathUpdate", kReplace,
     "hostPath"},
    {kNfs, "/api/v1/asset/datasource/nfs", "NfsDraft", "NfsUpdate", kReplace, "nfs"},
    {kPvc, "/api/v1/asset/datasource/pvc", "PvcDraft", "PvcUpdate", kOverlay, "pvc"},
    {kS3, "/api/v1/asset/datasource/s3", "S3Draft", "S3Update", kReplace, "s3"},
    {kConfigMap, "/api/v1/asset/datasource/config-map", "ConfigMapDraft", "ConfigMapUpdate",
     kOverlay, "config_map"},
    {kSecretVolume, "/api/v1/asset/datasource/secrets", "SecretDraft", "SecretUpdate", kOverlay,
     "secret"},
}};

}  // namespace

std::span<const AssetRow> AssetRows() {
  return kRows;
}

const AssetRow& RowOf(const Call& call) {
  std::string_view path = call.route().path;
  for (const AssetRow& row : kRows) {
    if (!path.starts_with(row.path)) continue;
    std::string_view rest = path.substr(row.path.size());
    if (rest.empty() || rest.starts_with('/')) return row;
  }
  CheckFailed("no asset kind for the route", path, 0);
}

const AssetRow& RowOf(AssetKind kind) {
  for (const AssetRow& row : kRows) {
    if (row.kind == kind) return row;
  }
  CheckFailed("no routes for the asset kind", "assets_kinds", 0);
}

}  // namespace yard::api

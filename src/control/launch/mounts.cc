#include <fmt/format.h>

#include "control/launch/parts.h"

namespace yard::control {
namespace {

using engine::Mount;
using engine::MountKind;

Status Check(const Mount& mount, std::string_view what) {
  if (mount.target.starts_with('/') && !mount.source.empty()) return {};
  return Fail(Code::kInvalid,
              fmt::format("a {} needs a source and an absolute path to appear at", what));
}

Mount HostPath(const HostPathMount& item) {
  return {MountKind::kHostPath, item.path, item.mount_path, item.read_only};
}

Mount Nfs(const NfsMount& item) {
  return {MountKind::kNfs, fmt::format("{}:{}", item.server, item.path), item.mount_path,
          item.read_only};
}

// Volumes belong to a project, as claims belong to a namespace. The name of a project has no dot,
// so no two projects meet in one folder.
Mount Claim(const LaunchParts& parts, const ClaimMount& item) {
  if (item.ephemeral) return {MountKind::kScratch, "scratch", item.path};
  std::string source = item.claim.empty() ? "" : fmt::format("{}.{}", parts.project, item.claim);
  return {MountKind::kVolume, std::move(source), item.path, item.read_only};
}

Mount EmptyDir(const std::string& path) {
  return {MountKind::kScratch, "scratch", path};
}

// Every key of a credential becomes a file below the mount path.
Status AddFiles(const LaunchParts& parts, const CredentialFiles& files, engine::TaskSpec& task) {
  YARD_ASSIGN(SecretValues values, parts.secrets.Find(files.credential));
  for (auto& [key, value] : values) {
    task.mounts.push_back(
        {MountKind::kFile, std::move(value), fmt::format("{}/{}", files.mount_path, key), true});
  }
  return {};
}

// The folder itself, so that no link is left to be turned elsewhere before it is mounted.
Status Resolve(const LaunchParts& parts, Mount& mount) {
  std::optional<std::string> path = NormalPath(mount.source);
  MountAccess access = mount.read_only ? MountAccess::kRead : MountAccess::kWrite;
  std::optional<std::string> folder;
  if (path) folder = parts.access.FolderFor(*path, access);
  if (!folder) return Fail(Code::kForbidden, fmt::format("'{}' is not listed", mount.source));
  if (!parts.context.resolve_path) return {};
  YARD_ASSIGN(std::string real, parts.context.resolve_path(*path));
  YARD_ASSIGN(std::string real_folder, parts.context.resolve_path(*folder));
  YARD_TRY(RequireInside(parts.state, {real, real_folder, access}));
  mount.source = std::move(real);
  return {};
}

template <class Item, class Make>
Status AddEach(const std::vector<Item>& list, std::string_view what, engine::TaskSpec& task,
               Make make) {
  for (const Item& item : list) {
    Mount mount = make(item);
    YARD_TRY(Check(mount, what));
    task.mounts.push_back(std::move(mount));
  }
  return {};
}

}  // namespace

Status AddMounts(const LaunchParts& parts, engine::TaskSpec& task) {
  const StorageSpec& storage = *parts.spec.storage;
  YARD_TRY(AddEach(storage.host_paths, "host path", task, HostPath));
  for (Mount& mount : task.mounts) YARD_TRY(Resolve(parts, mount));
  YARD_TRY(AddEach(storage.nfs, "NFS mount", task, Nfs));
  YARD_TRY(AddEach(storage.claims, "volume", task,
                   [&](const ClaimMount& item) { return Claim(parts, item); }));
  YARD_TRY(AddEach(storage.scratch, "scratch folder", task, EmptyDir));
  if (storage.has_data_volumes) {
    return Fail(Code::kInvalid, "data volumes are not offered", "use a data source");
  }
  for (const CredentialFiles& files : storage.config_maps) YARD_TRY(AddFiles(parts, files, task));
  for (const CredentialFiles& files : storage.secrets) YARD_TRY(AddFiles(parts, files, task));
  return {};
}

}  // namespace yard::control

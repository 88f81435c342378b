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
  const bool must_exist = item.existing && !parts.access.MakesClaim(item.claim);
  return {MountKind::kVolume, std::move(source), item.path, item.read_only, must_exist};
}

// A volume that an administrator has put into a folder of the machines or on an NFS server.
Result<Mount> BoundClaim(const LaunchParts& parts, const ClaimGrant& grant,
                         const ClaimMount& item) {
  const bool read_only = item.read_only || grant.access == MountAccess::kRead;
  if (!grant.source.starts_with('/')) {
    return Mount{MountKind::kNfs, grant.source, item.path, read_only};
  }
  Mount mount{MountKind::kHostPath, grant.source, item.path, read_only};
  if (!parts.context.resolve_path) return mount;
  YARD_ASSIGN(mount.source, parts.context.resolve_path(grant.source));
  MountAccess access = read_only ? MountAccess::kRead : MountAccess::kWrite;
  YARD_TRY(RequireInside(parts.state, {mount.source, mount.source, access}));
  return mount;
}

Status AddClaims(const LaunchParts& parts, engine::TaskSpec& task) {
  for (const ClaimMount& item : parts.spec.storage->claims) {
    const ClaimGrant* grant = item.ephemeral ? nullptr : parts.access.ClaimFor(item.claim);
    Result<Mount> mount = grant != nullptr ? BoundClaim(parts, *grant, item) : Claim(parts, item);
    if (!mount) return Fail(mount.error());
    YARD_TRY(Check(*mount, "volume"));
    task.mounts.push_back(*std::move(mount));
  }
  return {};
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

// GPUYARD_DATA_IMAGES for a data set `images`.
std::string VariableOf(std::string_view name) {
  std::string variable = "GPUYARD_DATA_";
  for (char c : name) {
    const bool letter = (c >= 'a' && c <= 'z');
    const bool kept = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    variable.push_back(letter ? static_cast<char>(c - 'a' + 'A') : kept ? c : '_');
  }
  return variable;
}

Status AddDataSet(const LaunchParts& parts, const DataSetMount& item, engine::TaskSpec& task) {
  if (!parts.context.data_view)
    return Fail(Code::kPrecondition, "this server keeps no data sets", "use a volume");
  YARD_ASSIGN(std::string source, parts.context.data_view(parts.workload.project, item));
  Mount mount{MountKind::kDataSet, std::move(source), item.mount_path, true};
  if (mount.target.empty()) mount.target = fmt::format("/data/{}", item.name);
  YARD_TRY(Check(mount, "data set"));
  task.variables.push_back({VariableOf(item.name), mount.target});
  task.mounts.push_back(std::move(mount));
  return {};
}

// Those that are seen elsewhere than in the task's output folder. Names are numbers: two may become
// versions of one data set.
Status AddOutputs(const LaunchParts& parts, engine::TaskSpec& task) {
  int number = 0;
  for (const OutputSave& output : parts.spec.storage->outputs) {
    Mount mount{MountKind::kOutput, std::to_string(number++), output.path};
    if (!output.path.starts_with('/')) continue;
    YARD_TRY(Check(mount, "saved folder"));
    task.mounts.push_back(std::move(mount));
  }
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
  YARD_TRY(AddClaims(parts, task));
  YARD_TRY(AddEach(storage.scratch, "scratch folder", task, EmptyDir));
  for (const DataSetMount& item : storage.data_sets) YARD_TRY(AddDataSet(parts, item, task));
  YARD_TRY(AddOutputs(parts, task));
  if (storage.has_data_volumes) {
    return Fail(Code::kInvalid, "data volumes are not offered", "use a data source");
  }
  for (const CredentialFiles& files : storage.config_maps) YARD_TRY(AddFiles(parts, files, task));
  for (const CredentialFiles& files : storage.secrets) YARD_TRY(AddFiles(parts, files, task));
  return {};
}

}  // namespace yard::control

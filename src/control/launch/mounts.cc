#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "control/json_fields.h"
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

Mount HostPath(const json::object& item) {
  return {MountKind::kHostPath, std::string(TextOrEmpty(item, "path")),
          std::string(TextOrEmpty(item, "mountPath")), FlagOrFalse(item, "readOnly")};
}

Mount Nfs(const json::object& item) {
  return {MountKind::kNfs,
          fmt::format("{}:{}", TextOrEmpty(item, "server"), TextOrEmpty(item, "path")),
          std::string(TextOrEmpty(item, "mountPath")), FlagOrFalse(item, "readOnly")};
}

// Volumes belong to a project, as claims belong to a namespace. The name of a project has no dot,
// so no two projects meet in one folder.
Mount Claim(const LaunchParts& parts, const json::object& item) {
  std::string_view claim = TextOrEmpty(item, "claimName");
  if (claim.empty()) claim = TextOrEmpty(item, "name");
  std::string target(TextOrEmpty(item, "path"));
  if (FlagOrFalse(item, "ephemeral")) return {MountKind::kScratch, "scratch", std::move(target)};
  std::string source = claim.empty() ? "" : fmt::format("{}.{}", parts.project, claim);
  return {MountKind::kVolume, std::move(source), std::move(target), FlagOrFalse(item, "readOnly")};
}

Mount EmptyDir(const json::object& item) {
  return {MountKind::kScratch, "scratch", std::string(TextOrEmpty(item, "path"))};
}

// Every key of a credential becomes a file below the mount path.
Status AddFiles(const LaunchParts& parts, std::string_view credential, std::string_view folder,
                engine::TaskSpec& task) {
  YARD_ASSIGN(SecretValues values, parts.secrets.Find(credential));
  for (auto& [key, value] : values) {
    task.mounts.push_back(
        {MountKind::kFile, std::move(value), fmt::format("{}/{}", folder, key), true});
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

template <class Make>
Status AddEach(const json::array& list, std::string_view what, engine::TaskSpec& task, Make make) {
  for (const json::value& item : list) {
    if (!item.is_object() || FlagOrFalse(item.get_object(), "exclude")) continue;
    Mount mount = make(item.get_object());
    YARD_TRY(Check(mount, what));
    task.mounts.push_back(std::move(mount));
  }
  return {};
}

}  // namespace

Status AddMounts(const LaunchParts& parts, engine::TaskSpec& task) {
  const json::object& storage = ObjectOrEmpty(parts.spec, "storage");
  if (storage.empty()) return {};
  YARD_TRY(AddEach(ListOrEmpty(storage, "hostPath"), "host path", task, HostPath));
  for (Mount& mount : task.mounts) YARD_TRY(Resolve(parts, mount));
  YARD_TRY(AddEach(ListOrEmpty(storage, "nfs"), "NFS mount", task, Nfs));
  YARD_TRY(AddEach(ListOrEmpty(storage, "pvc"), "volume", task,
                   [&](const json::object& item) { return Claim(parts, item); }));
  YARD_TRY(AddEach(ListOrEmpty(storage, "emptyDirVolume"), "scratch folder", task, EmptyDir));
  if (!ListOrEmpty(storage, "dataVolume").empty()) {
    return Fail(Code::kInvalid, "data volumes are not offered", "use a data source");
  }
  for (const json::value& item : ListOrEmpty(storage, "configMapVolume")) {
    if (!item.is_object()) continue;
    const json::object& map = item.get_object();
    YARD_TRY(AddFiles(parts, TextOrEmpty(map, "configMap"), TextOrEmpty(map, "mountPath"), task));
  }
  for (const json::value& item : ListOrEmpty(storage, "secretVolume")) {
    if (!item.is_object()) continue;
    const json::object& secret = item.get_object();
    YARD_TRY(
        AddFiles(parts, TextOrEmpty(secret, "secret"), TextOrEmpty(secret, "mountPath"), task));
  }
  return {};
}

}  // namespace yard::control

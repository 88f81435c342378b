#include "control/policy/host_rules.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/strings.h"
#include "wire/asset.h"

namespace yard::control {
namespace {

constexpr std::int64_t kFirstPerson = 1000;  // Debian's; ids below belong to the system

// Names by which podman reads an image from somewhere else than a registry.
constexpr std::array<std::string_view, 11> kTransports{
    "atomic", "containers-storage", "dir",    "docker", "docker-archive", "docker-daemon",
    "oci",    "oci-archive",        "ostree", "sif",    "tarball"};

std::string NameOf(const State& state, ProjectId id) {
  Ptr<Project> project = state.Find<Project>(id);
  return project ? project->name : std::to_string(id.value);
}

std::unexpected<Error> Refuse(const HostQuestion& question, std::string_view field,
                              const std::string& problem) {
  std::string at = fmt::format("{}.{}", question.root, field);
  Error error{Code::kForbidden, fmt::format("{}: {}", at, problem),
              fmt::format("a System administrator can list it for the project: "
                          "gpuyard host-access allow --project {}",
                          NameOf(question.state, question.project))};
  error.fields.push_back({std::move(at), problem});
  return Fail(std::move(error));
}

// For what no list can allow.
std::unexpected<Error> Never(std::string_view field, const std::string& problem,
                             std::string instead) {
  Error error{Code::kForbidden, fmt::format("{}: {}", field, problem), std::move(instead)};
  error.fields.push_back({std::string(field), problem});
  return Fail(std::move(error));
}

struct PathText {
  std::string_view field;
  std::string_view text;
  MountAccess access;
};
// The normal form of a path that a list could allow.
Result<std::string> OpenPath(const State& state, const PathText& asked) {
  std::optional<std::string> path = NormalPath(asked.text);
  if (!path) {
    return Never(asked.field,
                 fmt::format("'{}' is not an absolute path without '..' and commas", asked.text),
                 "write the path of the folder itself");
  }
  std::optional<std::string> folder = ClosedFolder(*path, asked.access, ClosedFolders(state));
  if (!folder) return *std::move(path);
  return Never(asked.field,
               fmt::format("'{}' can never be mounted: it meets {}, which belongs to the system",
                           *path, *folder),
               "use a data source, a volume, or a folder an administrator has listed");
}

Status CheckPath(const HostQuestion& question, const HostPathMount& mount, std::size_t index) {
  std::string field = fmt::format("storage.hostPath[{}].path", index);
  MountAccess access = AccessOf(mount);
  YARD_ASSIGN(
      std::string path,
      OpenPath(question.state, {fmt::format("{}.{}", question.root, field), mount.path, access}));
  if (question.access.FolderFor(path, access)) return {};
  bool readable = question.access.FolderFor(path, MountAccess::kRead).has_value();
  return Refuse(question, field,
                fmt::format("project '{}' may not mount '{}' of the machine{}",
                            NameOf(question.state, question.project), path,
                            readable ? " for writing; set readOnly" : ""));
}

Status CheckStorage(const HostQuestion& question, const StorageSpec& storage) {
  for (std::size_t i = 0; i < storage.host_paths.size(); ++i) {
    YARD_TRY(CheckPath(question, storage.host_paths[i], i));
  }
  return {};
}

Status CheckCapabilities(const HostQuestion& question, const SecuritySpec& security) {
  for (std::size_t i = 0; i < security.capabilities.size(); ++i) {
    std::string name = CapabilityName(security.capabilities[i]);
    if (question.access.AllowsCapability(name)) continue;
    return Refuse(question, fmt::format("security.capabilities[{}]", i),
                  fmt::format("project '{}' may not add the capability {}",
                              NameOf(question.state, question.project), name));
  }
  return {};
}

Status CheckShared(const HostQuestion& question, const SecuritySpec& security) {
  std::string project = NameOf(question.state, question.project);
  if (security.host_network && !question.access.network) {
    return Refuse(question, "security.hostNetwork",
                  fmt::format("project '{}' may not use the machine's network", project));
  }
  if (security.host_ipc && !question.access.ipc) {
    return Refuse(question, "security.hostIpc",
                  fmt::format("project '{}' may not share the machine's IPC", project));
  }
  return {};
}

// Containers always have the daemon's seccomp profile and can gain no privileges.
Status CheckConfinement(const HostQuestion& question, const SecuritySpec& security) {
  if (security.may_gain_privileges) {
    return Never(fmt::format("{}.security.allowPrivilegeEscalation", question.root),
                 "containers never gain privileges", "leave it out, or set it to false");
  }
  const std::string& profile = security.seccomp_profile;
  if (profile.empty() || profile == "RuntimeDefault") return {};
  return Never(fmt::format("{}.security.seccompProfileType", question.root),
               "containers always have the default profile",
               "leave it out, or set it to RuntimeDefault");
}

std::vector<std::int64_t> GroupsOf(const SecuritySpec& security) {
  std::vector<std::int64_t> groups = security.groups;
  if (security.gid) groups.insert(groups.begin(), *security.gid);
  return groups;
}

// An id of the machine is meant as such, so nothing of root's may come with it.
Status CheckMachineIds(const HostQuestion& question, const SecuritySpec& security) {
  if (security.uid.value_or(0) == 0) return {};
  std::string field = fmt::format("{}.security.runAsUid", question.root);
  if (!security.capabilities.empty()) {
    return Never(field, "a container with an id of the machine has no capabilities",
                 "leave out runAsUid, or the capabilities");
  }
  std::vector<std::int64_t> groups = GroupsOf(security);
  if (std::ranges::find(groups, 0) == groups.end()) return {};
  return Never(field, "an id of the machine is never in root's group", "leave out the group 0");
}

struct IdQuestion {
  std::string_view field;
  std::int64_t id = 0;
  std::vector<std::int64_t> own;
};
Status RequireId(const HostQuestion& question, const IdQuestion& asked) {
  if (question.access.AllowsId(asked.id)) return {};
  if (std::ranges::find(asked.own, asked.id) != asked.own.end()) return {};
  return Refuse(question, asked.field,
                fmt::format("project '{}' may not run as {}: work has its owner's ids or those of "
                            "the image",
                            NameOf(question.state, question.project), asked.id));
}

// The machine's accounts are not known here, so only the system's are refused; a launch knows the
// owner's own.
Status CheckIds(const HostQuestion& question, const SecuritySpec& security) {
  auto check = [&](std::string_view field, std::int64_t id) -> Status {
    return id >= kFirstPerson ? Status() : RequireId(question, {field, id, {}});
  };
  if (security.uid) YARD_TRY(check("security.runAsUid", *security.uid));
  for (std::int64_t group : GroupsOf(security)) {
    YARD_TRY(check("security.runAsGid and supplementalGroups", group));
  }
  return CheckMachineIds(question, security);
}

}  // namespace

Status RequireImageName(std::string_view image, std::string_view field) {
  std::string_view scheme = image.substr(0, image.find(':'));
  bool transport =
      scheme.size() < image.size() && std::ranges::find(kTransports, scheme) != kTransports.end();
  auto is_odd = [](unsigned char c) {
    return std::isalnum(c) == 0 && !std::string_view("._-/:@+").contains(static_cast<char>(c));
  };
  if (!transport && !image.starts_with('/') && !image.starts_with('.') && !image.starts_with('-') &&
      !image.contains(":/") && !image.contains("//") && !image.contains("..") &&
      std::ranges::none_of(image, is_odd)) {
    return {};
  }
  return Never(field, fmt::format("'{}' does not name an image of a registry", image),
               "write it as HOST/NAME:TAG, for example registry.lab/team/train:1");
}

Status RequireHostAccess(const HostQuestion& question, const WorkloadSpec& spec) {
  if (!spec.image.empty()) {
    YARD_TRY(RequireImageName(spec.image, fmt::format("{}.image", question.root)));
  }
  YARD_TRY(CheckStorage(question, *spec.storage));
  const SecuritySpec& security = *spec.security;
  YARD_TRY(CheckCapabilities(question, security));
  YARD_TRY(CheckShared(question, security));
  YARD_TRY(CheckConfinement(question, security));
  return CheckIds(question, security);
}

Status RequireHostAccess(const State& state, const Workload& workload) {
  HostAccess access = HostAccessAt(state, state.PathOf(workload));
  HostQuestion question{state, access, workload.project, "spec"};
  YARD_TRY(RequireHostAccess(question, *workload.spec));
  question.root = "masterSpec";
  return RequireHostAccess(question, *workload.master_spec);
}

Status RequireInside(const State& state, const ResolvedPath& resolved) {
  if (auto folder = ClosedFolder(resolved.path, resolved.access, ClosedFolders(state))) {
    return Fail(Code::kForbidden,
                fmt::format("the mounted folder leads to '{}', which belongs to the system: "
                            "it meets {}",
                            resolved.path, *folder),
                "mount the folder itself, not a link to another");
  }
  if (LiesIn(resolved.path, resolved.folder)) return {};
  return Fail(Code::kForbidden,
              fmt::format("the mounted folder leads to '{}', outside of '{}', which is listed",
                          resolved.path, resolved.folder),
              "mount the folder itself, not a link to another");
}

Status RequireIds(const HostQuestion& question, const AskedIds& asked) {
  YARD_TRY(RequireId(question, {"security.runAsUid", asked.uid, asked.own_users}));
  YARD_TRY(RequireId(question, {"security.runAsGid", asked.gid, asked.own_groups}));
  for (std::int64_t group : asked.groups) {
    YARD_TRY(RequireId(question, {"security.supplementalGroups", group, asked.own_groups}));
  }
  return {};
}

Status RequireHostPathAsset(const State& state, const Principal& who, const Asset& asset,
                            const ScopePath& where) {
  HostPathMount folder = wire::ReadHostPath(asset);
  MountAccess mode = AccessOf(folder);
  YARD_ASSIGN(std::string path, OpenPath(state, {"spec.path", folder.path, mode}));
  if (Access(state, who).May(Resource::kSettings, Action::kUpdate, {})) return {};
  HostAccess access = HostAccessAt(state, where);
  access.exact.clear();  // an asset does not vouch for its own change
  if (access.FolderFor(path, mode)) return {};
  return Never("spec.path",
               fmt::format("{} may not make '{}' of the machine a data source", who.id, path),
               "ask a System administrator to make it, or to list the folder: gpuyard host-access");
}

}  // namespace yard::control

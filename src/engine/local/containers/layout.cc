#include "engine/local/containers/layout.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/strings.h"
#include "base/uuid.h"
#include "engine/local/containers/host_binds.h"
#include "engine/local/data_sets.h"
#include "engine/local/native/spawn.h"
#include "engine/local/tasks/spec_text.h"
#include "engine/local/tasks/volumes.h"
#include "shim/format.h"

namespace yard::engine::containers {
namespace {

std::unexpected<Error> Refuse(std::string message) {
  return Fail(Code::kInvalid, std::move(message));
}

std::unexpected<Error> RefuseWithReason(std::string_view what, std::string_view path) {
  return Refuse(fmt::format("{} {}: {}", what, path, std::strerror(errno)));
}

// Without an account the image decides who reads it. The folder around is closed to others, so
// being readable for all means all in the container.
mode_t ModeFor(const TaskSpec& spec, mode_t owned, mode_t shared) {
  return spec.account ? owned : shared;
}

Status Own(const Account& owner, const std::string& path) {
  if (::geteuid() != 0) return {};
  if (::chown(path.c_str(), owner.uid, owner.gid) == 0) return {};
  return RefuseWithReason("cannot own", path);
}

Status MakeFolder(const Account& owner, const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) != 0)
    return errno == EEXIST ? Status() : RefuseWithReason("cannot make", path);
  if (::chmod(path.c_str(), mode) != 0) return RefuseWithReason("cannot make", path);
  return Own(owner, path);
}

struct FileContent {
  std::string_view text;
  mode_t mode;
};
Status MakeFile(const Account& owner, const std::string& path, const FileContent& content) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, content.mode));
  const auto size = static_cast<ssize_t>(content.text.size());
  if (!fd || ::write(fd.get(), content.text.data(), content.text.size()) != size)
    return RefuseWithReason("cannot write", path);
  return Own(owner, path);
}

Status CheckPaths(const Mount& mount) {
  if (!mount.target.starts_with('/'))
    return Refuse(fmt::format("the mount's target '{}' is not an absolute path", mount.target));
  const bool is_path = mount.kind == MountKind::kHostPath || mount.kind == MountKind::kNfs;
  for (const std::string& path : {mount.target, is_path ? mount.source : std::string()}) {
    if (path.find_first_of(",\t\n") != std::string::npos)
      return Refuse(
          fmt::format("'{}' cannot be mounted: a comma, tab or line end is in its path", path));
  }
  return {};
}

Status CheckHostPath(const Mount& mount) {
  struct stat about{};
  if (!mount.source.starts_with('/'))
    return Refuse(fmt::format("the host path '{}' is not absolute", mount.source));
  if (::stat(mount.source.c_str(), &about) == 0) return {};
  return Refuse(fmt::format("cannot mount '{}' on '{}': {} on this node", mount.source,
                            mount.target, std::strerror(errno)));
}

Status MakeVolume(const TaskSpec& spec, const SourcePlace& place, const Mount& mount) {
  const std::string& name = mount.source;
  if (name.empty() || name == "." || name == ".." || name.contains('/') || name.contains(','))
    return Refuse(fmt::format("'{}' is no name for a volume", name));
  const std::string all = place.kept.root + "/volumes";
  if (::mkdir(all.c_str(), 0700) != 0 && errno != EEXIST)
    return RefuseWithReason("cannot make", all);
  const std::string path = fmt::format("{}/{}", all, name);
  YARD_TRY(RequireVolume(mount, path));
  return MakeFolder(place.owner, path, ModeFor(spec, 0755, 0777));
}

// Mounted on the machine for the daemon: network folders, and by root also the machine's own.
bool IsShown(const Mount& mount) {
  return mount.kind == MountKind::kNfs || (mount.kind == MountKind::kHostPath && ::geteuid() == 0);
}

std::string ShownAt(const TaskFolder& folder, std::size_t index) {
  return fmt::format("{}/{}", folder.File(shim::kMountsName), index);
}

constexpr std::size_t kMostWords = 2048;

// All that is written until the end, as one line; what is more than people read is dropped.
std::string ReadWords(int from) {
  std::string words;
  char piece[256];
  for (;;) {
    const ssize_t got = ::read(from, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    const std::size_t room = kMostWords - words.size();
    words.append(piece, std::min(room, static_cast<std::size_t>(got)));
  }
  std::ranges::replace(words, '\n', ' ');
  return std::string(Trim(words));
}

// By mount(8), which knows the helpers; what it says is what people need to hear.
Status MountNfs(const Mount& mount, const std::string& path) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return RefuseWithReason("cannot mount", mount.source);
  UniqueFd said(ends[0]);
  UniqueFd says(ends[1]);
  SpawnSpec spawn;
  spawn.argv = {"/usr/bin/mount",
                "-t",
                "nfs",
                "-o",
                mount.read_only ? "ro,nosuid,nodev" : "rw,nosuid,nodev",
                "--",
                mount.source,
                path};
  spawn.envp = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin"};
  spawn.output = spawn.error = says.get();
  YARD_ASSIGN(Child child, Spawn(spawn));
  says.Reset();
  const std::string words = ReadWords(said.get());
  YARD_ASSIGN(std::int32_t code, WaitFor(child.pidfd.get()));
  if (code == 0) return {};
  // No word of the daemon's, so nothing is there to explain.
  return Fail(Code::kUnavailable,
              fmt::format("cannot mount '{}' on '{}': {}", mount.source, mount.target, words));
}

}  // namespace

Status MakeOwnSources(const TaskSpec& spec, const TaskFolder& folder, const SourcePlace& place) {
  // Closed to others on the machine; the container sees only what is bound.
  if (::mkdir(folder.File(shim::kFilesName).c_str(), 0700) != 0 && errno != EEXIST)
    return RefuseWithReason("cannot make", folder.File(shim::kFilesName));
  YARD_TRY(MakeFolder(place.owner, folder.File(shim::kWorkName), ModeFor(spec, 0755, 0777)));
  YARD_TRY(MakeFolder(place.owner, folder.File(shim::kTmpName), ModeFor(spec, 0700, 0777)));
  std::vector<Bind> binds = BindsOf(spec, folder, place.kept);
  for (std::size_t i = 0; i < spec.mounts.size(); ++i) {
    const Mount& mount = spec.mounts[i];
    YARD_TRY(CheckPaths(mount));
    switch (mount.kind) {
      case MountKind::kHostPath:
        YARD_TRY(CheckHostPath(mount));
        break;
      case MountKind::kVolume:
        YARD_TRY(MakeVolume(spec, place, mount));
        break;
      case MountKind::kFile:
        YARD_TRY(MakeFile(place.owner, binds[i].source, {mount.source, ModeFor(spec, 0400, 0444)}));
        break;
      case MountKind::kScratch:
        YARD_TRY(MakeFolder(place.owner, binds[i].source, ModeFor(spec, 0700, 0777)));
        break;
      case MountKind::kDataSet:
        YARD_TRY(DataSetPath(place.kept.data_sets, mount.source));
        break;
      case MountKind::kOutput: {
        YARD_ASSIGN(std::string path, MakeOutputPath(folder, mount));
        YARD_TRY(MakeFolder(place.owner, path, ModeFor(spec, 0700, 0777)));
        break;
      }
      case MountKind::kNfs:
        break;
    }
  }
  return {};
}

std::vector<Bind> BindsOf(const TaskSpec& spec, const TaskFolder& folder, const KeptFolders& kept) {
  std::vector<Bind> binds;
  for (std::size_t i = 0; i < spec.mounts.size(); ++i) {
    const Mount& mount = spec.mounts[i];
    Bind bind{mount.source, mount.target, mount.read_only};
    if (mount.kind == MountKind::kVolume)
      bind.source = fmt::format("{}/volumes/{}", kept.root, mount.source);
    if (IsShown(mount)) bind.source = ShownAt(folder, i);
    if (mount.kind == MountKind::kFile || mount.kind == MountKind::kScratch)
      bind.source = fmt::format("{}/{}", folder.File(shim::kFilesName), i);
    if (mount.kind == MountKind::kDataSet)
      bind.source = fmt::format("{}/{}", kept.data_sets, mount.source);
    if (mount.kind == MountKind::kOutput) bind.source = OutputPath(folder, mount);
    if (mount.kind == MountKind::kFile || mount.kind == MountKind::kDataSet) bind.read_only = true;
    binds.push_back(std::move(bind));
  }
  binds.push_back({folder.File(shim::kWorkName), kOutputTarget});
  binds.push_back({folder.File(shim::kTmpName), kTmpTarget});
  return binds;
}

std::string ShimLines(const TaskSpec& spec, const TaskFolder& folder,
                      const LayoutContext& context) {
  std::string out;
  AppendSpecLine(out, shim::key::kTask,
                 fmt::format("{}/{}", FormatUuid(spec.key.attempt.value), spec.key.rank));
  AppendSpecLine(out, shim::key::kEvents, fmt::format("{}/{}", context.root, shim::kEventsName));
  AppendSpecLine(out, shim::key::kLogLimit, fmt::to_string(spec.limits.log.value << 20));
  if (spec.tty) AppendSpecLine(out, shim::key::kTty, "1");
  if (context.sync_ends) AppendSpecLine(out, shim::key::kSync, "1");
  AppendSpecLine(out, shim::key::kDaemon, context.socket);
  AppendSpecLine(out, shim::key::kContainer, ContainerName(spec.key));
  if (!context.parent.empty()) AppendSpecLine(out, shim::key::kParent, context.parent);
  for (std::size_t i = 0; i < spec.mounts.size(); ++i) {
    if (!IsShown(spec.mounts[i])) continue;
    AppendSpecLine(out, shim::key::kMount,
                   fmt::format("nfs rw\t{}\t{}", spec.mounts[i].source, ShownAt(folder, i)));
  }
  return out + context.group_lines;
}

Status MountShared(const TaskSpec& spec, const TaskFolder& folder) {
  for (std::size_t i = 0; i < spec.mounts.size(); ++i) {
    const Mount& mount = spec.mounts[i];
    const std::string path = ShownAt(folder, i);
    if (!IsShown(mount) || IsMountPoint(path)) continue;
    ::mkdir(folder.File(shim::kMountsName).c_str(), 0711);
    if (mount.kind == MountKind::kHostPath) {
      YARD_TRY(ShowHostPath(mount, path));
      continue;
    }
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST)
      return RefuseWithReason("cannot make", path);
    YARD_TRY(MountNfs(mount, path));
  }
  return {};
}

void UnmountShared(const TaskSpec& spec, const TaskFolder& folder) {
  for (std::size_t i = 0; i < spec.mounts.size(); ++i) {
    if (!IsShown(spec.mounts[i])) continue;
    const std::string path = ShownAt(folder, i);
    ::umount2(path.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW);
    if (::rmdir(path.c_str()) != 0) ::unlink(path.c_str());
  }
}

}  // namespace yard::engine::containers

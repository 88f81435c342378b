#include "engine/local/native/plan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/uuid.h"
#include "engine/local/data_sets.h"
#include "engine/local/kept_output.h"
#include "engine/local/native/environment.h"
#include "engine/local/tasks/spec_text.h"
#include "engine/local/tasks/volumes.h"
#include "shim/format.h"

namespace yard::engine {
namespace {

bool IsRoot() {
  return ::geteuid() == 0;
}

std::unexpected<Error> Refuse(std::string message) {
  return Fail(Code::kInvalid, std::move(message));
}

// Makes a folder of the task's account; one that is there already is fine.
Status MakeOwned(const std::string& path, const TaskSpec& spec, mode_t mode) {
  const bool made = ::mkdir(path.c_str(), mode) == 0;
  if (!made && errno != EEXIST)
    return Refuse(fmt::format("cannot make {}: {}", path, std::strerror(errno)));
  const bool owned = !made || !spec.account || !IsRoot() ||
                     ::chown(path.c_str(), spec.account->uid, spec.account->gid) == 0;
  return owned ? Status() : Refuse(fmt::format("cannot own {}: {}", path, std::strerror(errno)));
}

// The account passes through the task's folder to its own ones in there. The folder itself stays
// the server's, or the account could put another spec into it.
Status OpenToAccount(const TaskFolder& folder, const TaskSpec& spec) {
  if (!spec.account || !IsRoot() || ::chmod(folder.path().c_str(), 0711) == 0) return {};
  return Refuse(fmt::format("cannot open {}: {}", folder.path(), std::strerror(errno)));
}

Status MakeSecretFile(const std::string& path, const TaskSpec& spec, std::string_view content) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400));
  const bool written = fd && ::write(fd.get(), content.data(), content.size()) ==
                                 static_cast<ssize_t>(content.size());
  const bool owned = written && (!spec.account || !IsRoot() ||
                                 ::fchown(fd.get(), spec.account->uid, spec.account->gid) == 0);
  return owned ? Status() : Refuse(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && !name.contains('/');
}

// One after the other, the mounts of a task as lines for its shim.
class MountPlanner {
 public:
  MountPlanner(const TaskSpec& spec, const TaskFolder& folder, const PlanContext& context)
      : spec_(spec), folder_(folder), context_(context) {}

  Result<std::string> Plan() {
    for (const Mount& mount : spec_.mounts) YARD_TRY(Add(mount));
    return std::move(out_);
  }

 private:
  Status Add(const Mount& mount) {
    if (!mount.target.starts_with('/'))
      return Refuse(fmt::format("the mount's target '{}' is not an absolute path", mount.target));
    YARD_ASSIGN(std::string source, Source(mount));
    if (source == mount.target && !mount.read_only) return {};
    // Without mounts the task finds it by its variable, see Environment.
    if (!IsRoot() && mount.kind == MountKind::kDataSet) return {};
    if (!IsRoot())
      return Refuse(
          fmt::format("cannot mount on {}: plain processes get mounts only when the "
                      "server runs as root; use the path {} itself, or an image",
                      mount.target, source));
    if (source.find_first_of("\t\n") != std::string::npos ||
        mount.target.find_first_of("\t\n") != std::string::npos)
      return Refuse(fmt::format("the mount on {} has a tab or line end in a path", mount.target));
    const bool read_only =
        mount.read_only || mount.kind == MountKind::kFile || mount.kind == MountKind::kDataSet;
    AppendSpecLine(out_, shim::key::kMount,
                   fmt::format("{} {}\t{}\t{}", KindName(mount.kind), read_only ? "ro" : "rw",
                               source, mount.target));
    return {};
  }

  // See shim/format.h.
  static std::string_view KindName(MountKind kind) {
    if (kind == MountKind::kNfs) return "nfs";
    return kind == MountKind::kHostPath ? "bind" : "own";
  }

  // The path to bind, made if it is ours to make.
  Result<std::string> Source(const Mount& mount) {
    switch (mount.kind) {
      case MountKind::kHostPath:
      case MountKind::kNfs:
        return mount.source;
      case MountKind::kVolume:
        return Volume(mount);
      case MountKind::kDataSet:
        return DataSetPath(context_.data_sets, mount.source);
      case MountKind::kFile: {
        YARD_ASSIGN(std::string path, Own());
        YARD_TRY(MakeSecretFile(path, spec_, mount.source));
        return path;
      }
      case MountKind::kScratch: {
        YARD_ASSIGN(std::string path, Own());
        YARD_TRY(MakeOwned(path, spec_, 0700));
        return path;
      }
      case MountKind::kOutput: {
        YARD_ASSIGN(std::string path, MakeOutputPath(folder_, mount));
        YARD_TRY(MakeOwned(path, spec_, 0700));
        return path;
      }
    }
    return Refuse("unknown kind of mount");
  }

  Result<std::string> Volume(const Mount& mount) {
    const std::string& name = mount.source;
    if (!IsPlainName(name)) return Refuse(fmt::format("'{}' is no name for a volume", name));
    const std::string all = context_.root + "/volumes";
    ::mkdir(all.c_str(), 0700);
    const std::string path = fmt::format("{}/{}", all, name);
    YARD_TRY(RequireVolume(mount, path));
    YARD_TRY(MakeOwned(path, spec_, 0755));
    return path;
  }

  // A path below `files`, which goes with the task.
  Result<std::string> Own() {
    const std::string files = folder_.File(shim::kFilesName);
    if (owned_ == 0 && ::mkdir(files.c_str(), 0700) != 0 && errno != EEXIST)
      return Refuse(fmt::format("cannot make {}: {}", files, std::strerror(errno)));
    return fmt::format("{}/{}", files, owned_++);
  }

  const TaskSpec& spec_;
  const TaskFolder& folder_;
  const PlanContext& context_;
  std::string out_;
  int owned_ = 0;
};

// Accounts of the system are nobody's to run work as; the shim refuses them too.
Status CheckAccount(const TaskSpec& spec, RootTasks root_tasks) {
  if (IsRoot() && !spec.account && root_tasks == RootTasks::kRefused)
    return Refuse("plain processes do not run as root; name an account, or an image");
  if (IsRoot() && spec.account && !shim::IsPersonal(spec.account->uid, spec.account->gid))
    return Refuse(fmt::format("plain processes do not run as the system's user {} of group {}",
                              spec.account->uid, spec.account->gid));
  if (!spec.account || IsRoot() || spec.account->uid == ::geteuid()) return {};
  return Refuse(
      fmt::format("cannot run as user {}: the server does not run as root", spec.account->uid));
}

std::string AccountLines(const TaskSpec& spec) {
  std::string out;
  if (!IsRoot()) return out;
  if (!spec.account) {
    AppendSpecLine(out, shim::key::kAsRoot, "1");
    return out;
  }
  AppendSpecLine(out, shim::key::kUid, std::to_string(spec.account->uid));
  AppendSpecLine(out, shim::key::kGid, std::to_string(spec.account->gid));
  for (std::uint32_t group : spec.account->groups)
    AppendSpecLine(out, shim::key::kGroup, std::to_string(group));
  return out;
}

// Where nothing can be mounted, a variable with the place of a data set has the folder itself.
TaskSpec WithDataFolders(TaskSpec spec, const PlanContext& context) {
  for (const Mount& mount : spec.mounts) {
    if (mount.kind != MountKind::kDataSet) continue;
    const Result<std::string> path = DataSetPath(context.data_sets, mount.source);
    for (Variable& variable : spec.variables) {
      if (path && variable.name.starts_with("GPUYARD_DATA_") && variable.value == mount.target)
        variable.value = *path;
    }
  }
  return spec;
}

std::string CommandLines(const TaskSpec& spec, const TaskFolder& folder,
                         const PlanContext& context) {
  std::string out;
  for (const std::string& word : spec.command) AppendSpecLine(out, shim::key::kArg, word);
  for (const std::string& word : spec.args) AppendSpecLine(out, shim::key::kArg, word);
  for (const Variable& variable : EnvironmentOf(spec, folder, context.path, context.gpu_variables))
    AppendSpecLine(out, shim::key::kEnv, fmt::format("{}={}", variable.name, variable.value));
  const std::string own = folder.File(shim::kWorkName);
  AppendSpecLine(out, shim::key::kCwd, spec.working_dir.empty() ? own : spec.working_dir);
  return out;
}

}  // namespace

Result<std::string> PlanProcess(const TaskSpec& spec, const TaskFolder& folder,
                                const PlanContext& context) {
  if (spec.command.empty() && spec.args.empty()) return Refuse("there is no command to run");
  YARD_TRY(CheckAccount(spec, context.root_tasks));
  YARD_TRY(OpenToAccount(folder, spec));
  YARD_TRY(MakeOwned(folder.File(shim::kWorkName), spec, 0700));
  YARD_TRY(MakeOwned(folder.File(shim::kTmpName), spec, 0700));
  YARD_ASSIGN(std::string mounts, MountPlanner(spec, folder, context).Plan());
  std::string out;
  AppendSpecLine(out, shim::key::kTask,
                 fmt::format("{}/{}", FormatUuid(spec.key.attempt.value), spec.key.rank));
  AppendSpecLine(out, shim::key::kEvents, fmt::format("{}/{}", context.root, shim::kEventsName));
  AppendSpecLine(out, shim::key::kLogLimit, std::to_string(spec.limits.log.value << 20));
  if (spec.tty) AppendSpecLine(out, shim::key::kTty, "1");
  if (context.sync_ends) AppendSpecLine(out, shim::key::kSync, "1");
  const TaskSpec shown = IsRoot() ? spec : WithDataFolders(spec, context);
  return out + CommandLines(shown, folder, context) + AccountLines(spec) +
         context.groups.LinesFor(spec) + mounts;
}

}  // namespace yard::engine

#include "shim/command.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/filter.h"
#include "shim/format.h"
#include "shim/groups.h"
#include "shim/mounts.h"
#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr mode_t kUsualMask = 022;

// The last one to look: whatever the server believes, the system's accounts run nothing.
bool MayRunAs(const Spec& spec) {
  if (geteuid() != 0) return true;
  return spec.uid < 0 && spec.gid < 0 ? spec.as_root : IsPersonal(spec.uid, spec.gid);
}

Failure TakeAccount(const Spec& spec) {
  if (!MayRunAs(spec)) return {"will not run as an account of the system", "", 0};
  if (spec.gid >= 0) {
    if (setgroups(static_cast<std::size_t>(spec.group_count), spec.groups) != 0)
      return {"cannot set the groups of the account", "", errno};
    const auto gid = static_cast<gid_t>(spec.gid);
    if (setresgid(gid, gid, gid) != 0) return {"cannot take the account's group", "", errno};
  }
  if (spec.uid >= 0) {
    const auto uid = static_cast<uid_t>(spec.uid);
    if (setresuid(uid, uid, uid) != 0) return {"cannot take the account", "", errno};
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return {"cannot give up new privileges", "", errno};
  return TakeCallsAway();
}

const char* FindVariable(char** envp, const char* name) {
  for (; *envp != nullptr; ++envp)
    if (const char* value = ValueOf(*envp, name)) return value;
  return nullptr;
}

char missing[4096];  // outlives the child, whose memory is ours

const char* Keep(const char* text, std::size_t length) {
  const std::size_t kept = length < sizeof(missing) ? length : sizeof(missing) - 1;
  memmove(missing, text, kept);
  missing[kept] = 0;
  return missing;
}

// A script whose interpreter is missing fails with ENOENT, as if it were missing itself.
Failure ExplainMissing(const char* path) {
  struct stat about{};
  if (stat(path, &about) != 0) return {"cannot run: no such program:", path, ENOENT};
  char head[256];
  if (ReadFile(path, head, sizeof(head)) > 2 && head[0] == '#' && head[1] == '!') {
    const char* start = head + 2 + strspn(head + 2, " \t");
    const std::size_t length = strcspn(start, " \t\n");
    return {"cannot run: the script's interpreter is missing:", Keep(start, length), ENOENT};
  }
  return {"cannot run: its loader or a part of it is missing:", Keep(path, strlen(path)), ENOENT};
}

Failure ExplainExec(const char* path, int error) {
  if (error == ENOENT) return ExplainMissing(path);
  if (error == EACCES) return {"cannot run: not executable for this account:", path, error};
  if (error == ENOEXEC) return {"cannot run: not a program for this machine:", path, error};
  return {"cannot run", path, error};
}

Failure ExecInPath(char** argv, char** envp) {
  const char* path = FindVariable(envp, "PATH");
  Failure denied;
  for (const char* at = path == nullptr ? "/usr/bin:/bin" : path;;) {
    const std::size_t length = strcspn(at, ":");
    Line file;
    file.Add(at, length) << "/" << argv[0];
    execve(file.text(), argv, envp);
    if (errno != ENOENT && errno != ENOTDIR && denied.step == nullptr)
      denied = {"cannot run", argv[0], errno};
    struct stat about{};
    if (errno == ENOENT && stat(file.text(), &about) == 0) return ExplainMissing(file.text());
    if (at[length] == 0) break;
    at += length + 1;
  }
  if (denied.step != nullptr) return denied;
  return {"cannot run: no such program in PATH:", argv[0], ENOENT};
}

Failure Exec(char** argv, char** envp) {
  if (strchr(argv[0], '/') == nullptr) return ExecInPath(argv, envp);
  execve(argv[0], argv, envp);
  return ExplainExec(argv[0], errno);
}

// The shim was born with every signal at its default and has changed none.
void OpenSignals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

Failure SetStreams(const Streams& streams) {
  setsid();
  if (streams.terminal >= 0 && ioctl(streams.terminal, TIOCSCTTY, 0) != 0)
    return {"cannot take the terminal", "", errno};
  if (dup2(streams.input, 0) < 0 || dup2(streams.output, 1) < 0 || dup2(streams.output, 2) < 0)
    return {"cannot set the standard streams", "", errno};
  return {};
}

struct Birth {
  const Spec* spec;
  const Streams* streams;
  Failure failure;
  bool in_tree;
};

// Runs in the child, in memory shared with the parent, who waits.
[[noreturn, gnu::noinline]] void RunChild(Birth* birth) {
  birth->failure = JoinGroups(*birth->spec, birth->in_tree ? JoinWhat::kV1Only : JoinWhat::kAll);
  if (birth->failure.step == nullptr) birth->failure = SetStreams(*birth->streams);
  if (birth->failure.step == nullptr) birth->failure = EnterMounts(birth->streams->mounts);
  if (birth->failure.step == nullptr)
    birth->failure = Become(*birth->spec, birth->spec->args.items, birth->spec->env.items);
  _exit(127);
}

// vfork, but straight into a control group: moving a running process costs milliseconds. The
// child goes on in this frame and never returns from RunChild.
[[gnu::noinline]] long CloneInto(clone_args* how, Birth* birth) {
  long result = SYS_clone3;
  asm volatile("syscall" : "+a"(result) : "D"(how), "S"(sizeof(*how)) : "rcx", "r11", "memory");
  if (result == 0) RunChild(birth);
  return result;
}

}  // namespace

Failure TakePlace(const Spec& spec) {
  const Failure refused = TakeAccount(spec);
  if (refused.step != nullptr) return refused;
  if (chdir(spec.cwd) != 0)
    return {errno == EACCES ? "the account that the task runs as may not enter"
                            : "cannot enter the working directory",
            spec.cwd, errno};
  umask(kUsualMask);  // not the server's
  OpenSignals();
  return {};
}

Failure Become(const Spec& spec, char** argv, char** envp) {
  const Failure refused = TakePlace(spec);
  if (refused.step != nullptr) return refused;
  static char* nothing[] = {nullptr};
  return Exec(argv, envp == nullptr ? nothing : envp);
}

Started StartCommand(const Spec& spec, const Streams& streams) {
  Birth birth{&spec, &streams, {}, false};
  const int tree = spec.tree == nullptr ? -1 : open(spec.tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
  clone_args how{};
  how.flags = CLONE_VM | CLONE_VFORK;
  how.exit_signal = SIGCHLD;
  if (tree >= 0) {
    birth.in_tree = true;
    how.flags |= CLONE_INTO_CGROUP;
    how.cgroup = static_cast<std::uint64_t>(tree);
  }
  long pid = CloneInto(&how, &birth);
  if (pid < 0 && tree >= 0) {  // an older kernel
    birth.in_tree = false;
    how.flags &= ~static_cast<std::uint64_t>(CLONE_INTO_CGROUP);
    pid = CloneInto(&how, &birth);
  }
  if (tree >= 0) close(tree);
  if (pid < 0) return {-1, {"cannot start a process", "", static_cast<int>(-pid)}};
  return {static_cast<pid_t>(pid), birth.failure};
}

}  // namespace yard::shim

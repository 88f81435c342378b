#include "shim/groups.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/records.h"
#include "shim/text.h"
#include "shim/tree.h"

namespace yard::shim {
namespace {

Line PathIn(const char* group, const char* file) {
  Line path;
  path << group << "/" << file;
  return path;
}

// Sends SIGKILL to every process listed in a file of pids, except this one.
void KillListed(const char* path) {
  static char pids[64 << 10];
  if (ReadFile(path, pids, sizeof(pids)) <= 0) return;
  const pid_t self = getpid();
  char* rest = nullptr;
  for (char* word = strtok_r(pids, " \n", &rest); word != nullptr;
       word = strtok_r(nullptr, " \n", &rest)) {
    const auto pid = static_cast<pid_t>(ParseNumber(word));
    if (pid > 1 && pid != self) kill(pid, SIGKILL);
  }
}

void KillTree(const char* tree) {
  if (WriteText(PathIn(tree, "cgroup.kill").text(), "1")) return;
  KillListed(PathIn(tree, "cgroup.procs").text());
}

void KillChildren() {
  Line path;
  path << "/proc/self/task/" << getpid() << "/children";
  KillListed(path.text());
}

bool HasPids(const char* group) {
  char first[8];
  return ReadFile(PathIn(group, "cgroup.procs").text(), first, sizeof(first)) > 0;
}

bool IsPopulated(const Spec& spec) {
  if (spec.tree != nullptr && HasPids(spec.tree)) return true;
  for (int i = 0; i < spec.groups_v1.count; ++i)
    if (HasPids(spec.groups_v1.items[i])) return true;
  return false;
}

// True if a child is left.
bool ReapAll() {
  for (;;) {
    siginfo_t ended{};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG) != 0) return errno != ECHILD;
    if (ended.si_pid == 0) return true;
  }
}

void KillEverything(const Spec& spec, pid_t command) {
  if (spec.tree != nullptr) KillTree(spec.tree);
  for (int i = 0; i < spec.groups_v1.count; ++i)
    KillListed(PathIn(spec.groups_v1.items[i], "cgroup.procs").text());
  if (command > 0) kill(-command, SIGKILL);
  KillChildren();
}

// With the groups that the task has made below it.
bool RemoveGroup(const char* group) {
  RemoveTree(AT_FDCWD, group);
  return access(group, F_OK) != 0;
}

// False if one is still populated.
bool RemoveGroups(const Spec& spec) {
  bool gone = spec.tree == nullptr || RemoveGroup(spec.tree);
  for (int i = 0; i < spec.groups_v1.count; ++i)
    gone = RemoveGroup(spec.groups_v1.items[i]) && gone;
  return gone;
}

bool MakeGroup(const char* group) {
  return mkdir(group, 0755) == 0 || errno == EEXIST;
}

}  // namespace

Failure MakeGroups(const Spec& spec) {
  if (spec.tree != nullptr && !MakeGroup(spec.tree))
    return {"cannot make the control group", spec.tree, errno};
  for (int i = 0; i < spec.groups_v1.count; ++i)
    if (!MakeGroup(spec.groups_v1.items[i]))
      return {"cannot make the control group", spec.groups_v1.items[i], errno};
  for (int i = 0; i < spec.sets.count; ++i) {
    char* file = spec.sets.items[i];
    char* value = strchr(file, '=');
    if (value == nullptr) continue;
    *value = 0;
    const bool written = WriteText(file, value + 1);
    const int error = errno;
    if (!written) return {"cannot set the limit", file, error};
    *value = '=';
  }
  const bool guards = spec.devices.guarded_count > 0 || spec.devices.broken;
  if (guards && spec.tree == nullptr) return {"there is no control group to close GPUs by", "", 0};
  return guards ? FilterDevices(spec.devices, spec.tree) : Failure{};
}

Failure JoinGroups(const Spec& spec, JoinWhat what) {
  if (what == JoinWhat::kAll && spec.tree != nullptr &&
      !WriteText(PathIn(spec.tree, "cgroup.procs").text(), "0"))
    return {"cannot join the control group", spec.tree, errno};
  for (int i = 0; i < spec.groups_v1.count; ++i)
    if (!WriteText(PathIn(spec.groups_v1.items[i], "cgroup.procs").text(), "0"))
      return {"cannot join the control group", spec.groups_v1.items[i], errno};
  return {};
}

void EndGroups(const Spec& spec, pid_t command) {
  // As a rule nothing is left, and then two calls tell.
  if (!ReapAll() && RemoveGroups(spec)) return;
  for (int wait_ms = 1;; wait_ms = wait_ms < 100 ? wait_ms * 2 : 100) {
    KillEverything(spec, command);
    if (!ReapAll() && !IsPopulated(spec) && RemoveGroups(spec)) return;
    poll(nullptr, 0, wait_ms);
  }
}

std::int64_t CountOomKills(const Spec& spec) {
  char text[1024];
  if (spec.oom == nullptr || ReadFile(spec.oom, text, sizeof(text)) <= 0) return 0;
  char* rest = nullptr;
  for (char* line = strtok_r(text, "\n", &rest); line != nullptr;
       line = strtok_r(nullptr, "\n", &rest))
    if (strncmp(line, "oom_kill ", 9) == 0) return ParseNumber(line + 9);
  return 0;
}

}  // namespace yard::shim

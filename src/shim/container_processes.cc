#include "shim/container_processes.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/text.h"

namespace yard::shim {
namespace {

// The group of a process, -1 if there is none: the third word behind the name in parentheses.
pid_t GroupOf(pid_t pid) {
  Line path;
  path << "/proc/" << pid << "/stat";
  char text[512];
  if (ReadFile(path.text(), text, sizeof(text)) <= 0) return -1;
  const char* behind_name = strrchr(text, ')');
  if (behind_name == nullptr || strlen(behind_name) < 4 || behind_name[2] == 'Z') return -1;
  const char* group = strchr(behind_name + 4, ' ');
  return group == nullptr ? -1 : static_cast<pid_t>(strtol(group + 1, nullptr, 10));
}

// Whether a set of signals in /proc/PID/status has this one.
bool HasSignal(const char* status, const char* set, int signal) {
  const char* line = strstr(status, set);
  if (line == nullptr) return false;
  const unsigned long long bits = strtoull(line + strlen(set), nullptr, 16);
  return (bits >> (signal - 1) & 1) != 0;
}

// Without a handler most signals end a process; these do not.
bool EndsByDefault(int signal) {
  return signal != SIGCHLD && signal != SIGCONT && signal != SIGURG && signal != SIGWINCH &&
         signal != SIGSTOP && signal != SIGTSTP && signal != SIGTTIN && signal != SIGTTOU &&
         signal != SIGKILL;
}

bool HearsNot(pid_t pid, int signal) {
  Line path;
  path << "/proc/" << pid << "/status";
  char status[4096];
  if (!EndsByDefault(signal) || ReadFile(path.text(), status, sizeof(status)) <= 0) return false;
  return !HasSignal(status, "SigCgt:\t", signal) && !HasSignal(status, "SigIgn:\t", signal) &&
         !HasSignal(status, "SigBlk:\t", signal);
}

}  // namespace

void ContainerProcesses::Open(pid_t first) {
  if (pidfd_ >= 0) close(pidfd_);
  first_ = first;
  pidfd_ = first > 0 ? static_cast<int>(syscall(SYS_pidfd_open, first, 0)) : -1;
}

bool ContainerProcesses::IsAlive() const {
  pollfd ended{pidfd_, POLLIN, 0};
  return pidfd_ >= 0 && poll(&ended, 1, 0) == 0;
}

void ContainerProcesses::NoteGroup() {
  member_count_ = 0;
  DIR* all = opendir("/proc");
  if (all == nullptr) return;
  while (const dirent* entry = readdir(all)) {
    const auto pid = static_cast<pid_t>(ParseNumber(entry->d_name));
    if (pid <= 0 || pid == first_ || member_count_ == kMembersMax) continue;
    if (GroupOf(pid) == first_) members_[member_count_++] = pid;
  }
  closedir(all);
}

bool ContainerProcesses::Signal(int signal) {
  if (!IsAlive()) return false;
  NoteGroup();
  if (kill(-first_, signal) != 0) return false;
  kill(-first_, SIGCONT);  // one that is stopped could not obey
  deaf_ = HearsNot(first_, signal);
  return true;
}

bool ContainerProcesses::IsAlone() const {
  for (int i = 0; i < member_count_; ++i)
    if (GroupOf(members_[i]) == first_) return false;
  return true;
}

bool ContainerProcesses::Kill() const {
  return IsAlive() && kill(first_, SIGKILL) == 0;
}

}  // namespace yard::shim

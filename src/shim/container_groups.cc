#include "shim/container_groups.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/groups.h"
#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr int kTries = 250;
constexpr int kPauseMs = 20;
// What is left after so many tries does not go by itself: podman keeps the watcher of each command
// that was run inside for minutes.
constexpr int kPatientTries = 15;

enum class Means { kWait, kKill };

void KillIn(const char* group) {
  Line path;
  path << group << "/cgroup.procs";
  static char pids[16 << 10];
  if (ReadFile(path.text(), pids, sizeof(pids)) <= 0) return;
  char* rest = nullptr;
  for (char* word = strtok_r(pids, "\n", &rest); word != nullptr;
       word = strtok_r(nullptr, "\n", &rest)) {
    const auto pid = static_cast<pid_t>(ParseNumber(word));
    if (pid > 1 && pid != getpid()) kill(pid, SIGKILL);
  }
}

// With the groups directly inside. False if it is still in use.
bool RemoveGroup(const char* group, Means means) {
  DIR* entries = opendir(group);
  if (entries == nullptr) return true;
  while (const dirent* entry = readdir(entries)) {
    if (entry->d_type != DT_DIR || entry->d_name[0] == '.') continue;
    Line inner;
    inner << group << "/" << entry->d_name;
    if (rmdir(inner.text()) != 0 && means == Means::kKill) KillIn(inner.text());
  }
  closedir(entries);
  if (rmdir(group) == 0) return true;
  if (means == Means::kKill) KillIn(group);
  return false;
}

// Wherever a hierarchy of control groups is mounted. True if all are gone.
bool RemoveEverywhere(const char* parent, Means means) {
  static char mounts[64 << 10];
  if (ReadFile("/proc/self/mountinfo", mounts, sizeof(mounts)) <= 0) return true;
  bool gone = true;
  char* rest_of_text = nullptr;
  for (char* line = strtok_r(mounts, "\n", &rest_of_text); line != nullptr;
       line = strtok_r(nullptr, "\n", &rest_of_text)) {
    if (strstr(line, " - cgroup") == nullptr) continue;
    char* rest = nullptr;
    const char* point = strtok_r(line, " ", &rest);
    for (int field = 1; field < 5 && point != nullptr; ++field)
      point = strtok_r(nullptr, " ", &rest);
    if (point == nullptr) continue;
    Line group;
    group << point << parent;
    gone = RemoveGroup(group.text(), means) && gone;
  }
  return gone;
}

}  // namespace

void OomWatch::Open(const Spec& spec) {
  const char* name = spec.oom == nullptr ? nullptr : strrchr(spec.oom, '/');
  if (name == nullptr || strcmp(name, "/memory.oom_control") != 0) return;
  Line control;
  control.Add(spec.oom, static_cast<std::size_t>(name - spec.oom)) << "/cgroup.event_control";
  const int file = open(spec.oom, O_RDONLY | O_CLOEXEC);
  events_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  Line order;
  order << events_ << " " << file;
  if (file < 0 || events_ < 0 || !WriteText(control.text(), order.text())) {
    close(events_);
    events_ = -1;
  }
  if (file >= 0) close(file);
}

bool OomWatch::Happened(const Spec& spec) const {
  std::uint64_t count = 0;
  if (events_ >= 0 && read(events_, &count, sizeof(count)) == sizeof(count) && count > 0)
    return true;
  return CountOomKills(spec) > 0;
}

void RemoveParentGroups(const Spec& spec) {
  if (spec.parent == nullptr) return;
  // The container is gone, and the daemon's own watcher goes soon after it.
  for (int i = 0; i < kTries; ++i) {
    if (RemoveEverywhere(spec.parent, i < kPatientTries ? Means::kWait : Means::kKill)) return;
    poll(nullptr, 0, kPauseMs);
  }
}

}  // namespace yard::shim

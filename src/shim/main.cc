// gpuyard-shim: watches over one task, so that the task outlives the server.
//
//   gpuyard-shim FOLDER                  runs the task whose spec lies in the folder
//   gpuyard-shim serve                   starts such shims for the server at the other end of its
//                                        socket (descriptor 3)
//   gpuyard-shim exec FOLDER COMMAND…    becomes a command beside the running task: its control
//                                        groups, mounts, account, directory and environment, with
//                                        this process's environment on top
//   gpuyard-shim pack PATH               writes a file or folder as a tar stream
//   gpuyard-shim pack-beside FOLDER PATH the same beside the running task, as `exec` would
//   gpuyard-shim pack-kept FOLDER PLACE PATH     writes what the task has left, see shim/kept.h
//   gpuyard-shim list-kept FOLDER PLACE PATH     the same without the contents
//   gpuyard-shim unpack FOLDER           reads such a stream; it runs inside containers
//   gpuyard-shim connect PID PORT        connects to a port beside that process, for the server
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "shim/command.h"
#include "shim/connect.h"
#include "shim/format.h"
#include "shim/groups.h"
#include "shim/kept.h"
#include "shim/launcher.h"
#include "shim/mounts.h"
#include "shim/pack.h"
#include "shim/records.h"
#include "shim/spec.h"
#include "shim/text.h"
#include "shim/watch.h"

namespace yard::shim {
namespace {

constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;

int Refuse(const Failure& failure) {
  Line line;
  line << "gpuyard: " << failure.step << " " << failure.thing;
  if (failure.error != 0) line << ": " << strerrordesc_np(failure.error);
  line << "\n";
  if (write(2, line.text(), line.size()) < 0) return kCannotRun;
  return failure.error == ENOENT ? kNotFound : kCannotRun;
}

// The task's variables, except those that this process brings along.
char** MergeEnvironment(const Spec& spec, char** ours) {
  static List merged;
  for (char** at = ours; *at != nullptr; ++at) merged.Add(*at);
  const int brought = merged.count;
  for (int i = 0; i < spec.env.count; ++i) {
    char* variable = spec.env.items[i];
    const std::size_t name = strcspn(variable, "=") + 1;
    bool replaced = false;
    for (int k = 0; k < brought; ++k)
      replaced = replaced || strncmp(merged.items[k], variable, name) == 0;
    if (!replaced) merged.Add(variable);
  }
  return merged.items;
}

// Goes to the folder and takes its path off the command line, which everybody can read.
bool Enter(char* folder) {
  const bool entered = chdir(folder) == 0;
  memset(folder, 0, strlen(folder));
  return entered;
}

// Joins the control groups and mounts of the task in the folder.
Failure JoinTask(char* folder, Spec* spec) {
  if (!Enter(folder)) return {"no task there", "", errno};
  const int file = open(kSpecName, O_RDONLY | O_CLOEXEC);
  if (file < 0 || !ReadSpec(file, spec)) return {"no task there", "", errno};
  const Failure failure = JoinGroups(*spec, JoinWhat::kAll);
  return failure.step == nullptr ? JoinMounts(*spec, ReadTaskProcess()) : failure;
}

// Without a program of the task's own: it may see none of ours, and its tar may be anything.
int PackBeside(char* folder, const char* path) {
  static Spec spec;
  Failure failure = JoinTask(folder, &spec);
  if (failure.step == nullptr) failure = TakePlace(spec);
  return failure.step == nullptr ? Pack(path, {1, 2}) : Refuse(failure);
}

int ExecBeside(char* folder, char** argv, char** ours) {
  static Spec spec;
  const Failure failure = JoinTask(folder, &spec);
  if (failure.step != nullptr) return Refuse(failure);
  if (isatty(0)) ioctl(0, TIOCSCTTY, 0);
  return Refuse(Become(spec, argv, MergeEnvironment(spec, ours)));
}

int Kept(char** words, PackWhat what) {
  if (Enter(words[2])) return PackKept(words[3], words[4], what);
  return errno == ENOENT ? PackNothing(words[4]) : Refuse({"no task there", "", errno});
}

}  // namespace
}  // namespace yard::shim

int main(int count, char** words, char** variables) {
  if (count > 3 && strcmp(words[1], "exec") == 0)
    return yard::shim::ExecBeside(words[2], words + 3, variables);
  if (count == 3 && strcmp(words[1], "pack") == 0) return yard::shim::Pack(words[2], {1, 2});
  if (count == 4 && strcmp(words[1], "pack-beside") == 0)
    return yard::shim::PackBeside(words[2], words[3]);
  if (count == 5 && strcmp(words[1], "pack-kept") == 0)
    return yard::shim::Kept(words, yard::shim::PackWhat::kAll);
  if (count == 5 && strcmp(words[1], "list-kept") == 0)
    return yard::shim::Kept(words, yard::shim::PackWhat::kHeaders);
  if (count == 3 && strcmp(words[1], "unpack") == 0) return yard::shim::Unpack(words[2], {0, 2});
  if (count == 4 && strcmp(words[1], "connect") == 0)
    return yard::shim::ConnectBeside(words[2], words[3]);
  if (count == 2 && strcmp(words[1], "serve") == 0) return yard::shim::ServeLaunches(words);
  if (count != 2 || !yard::shim::Enter(words[1])) return 2;
  return yard::shim::WatchTask();
}

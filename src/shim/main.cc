// gpuyard-shim: watches over one task, so that the task outlives the server.
//
//   gpuyard-shim FOLDER                  runs the task whose spec lies in the folder
//   gpuyard-shim serve                   starts such shims for the server at the other end of its
//                                        socket (descriptor 3)
//   gpuyard-shim exec FOLDER COMMAND…    becomes a command beside the running task: its control
//                                        groups, mounts, account, directory and environment, with
//                                        this process's environment on top
//   gpuyard-shim pack PATH               writes a file or folder as a tar stream
//   gpuyard-shim unpack FOLDER           reads such a stream; both run inside containers
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "shim/command.h"
#include "shim/format.h"
#include "shim/groups.h"
#include "shim/launcher.h"
#include "shim/mounts.h"
#include "shim/pack.h"
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

int PidOfTask() {
  char text[256];
  if (ReadFile(kStateName, text, sizeof(text)) <= 0) return -1;
  char* rest = nullptr;
  for (char* line = strtok_r(text, "\n", &rest); line != nullptr;
       line = strtok_r(nullptr, "\n", &rest))
    if (const char* value = ValueOf(line, "pid")) return static_cast<int>(ParseNumber(value));
  return -1;
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

int ExecBeside(char* folder, char** argv, char** ours) {
  static Spec spec;
  if (!Enter(folder)) return Refuse({"no task there", "", errno});
  const int file = open(kSpecName, O_RDONLY | O_CLOEXEC);
  if (file < 0 || !ReadSpec(file, &spec)) return Refuse({"no task there", "", errno});
  Failure failure = JoinGroups(spec, JoinWhat::kAll);
  if (failure.step == nullptr) failure = JoinMounts(spec, PidOfTask());
  if (failure.step != nullptr) return Refuse(failure);
  if (isatty(0)) ioctl(0, TIOCSCTTY, 0);
  return Refuse(Become(spec, argv, MergeEnvironment(spec, ours)));
}

}  // namespace
}  // namespace yard::shim

int main(int count, char** words, char** variables) {
  if (count > 3 && strcmp(words[1], "exec") == 0)
    return yard::shim::ExecBeside(words[2], words + 3, variables);
  if (count == 3 && strcmp(words[1], "pack") == 0) return yard::shim::Pack(words[2], {1, 2});
  if (count == 3 && strcmp(words[1], "unpack") == 0) return yard::shim::Unpack(words[2], {0, 2});
  if (count == 2 && strcmp(words[1], "serve") == 0) return yard::shim::ServeLaunches(words);
  if (count != 2 || !yard::shim::Enter(words[1])) return 2;
  return yard::shim::WatchTask();
}

// What the shim leaves in the task's folder, and the word it sends to the server.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "shim/failure.h"
#include "shim/spec.h"

namespace yard::shim {

struct End {
  const char* cause = "";  // as the server names it
  std::int64_t code = -1;
  std::int64_t signal = -1;
  std::int64_t started = -1;
  std::int64_t log = 0;
  std::int64_t cpu = -1;  // what it used in all, see shim/format.h; -1: not counted
  std::int64_t memory = -1;
  std::int64_t read = -1;
  std::int64_t write = -1;
  const char* message = "";
};

// Takes the task: false if another shim has, or had, it.
bool TakeTask(int* state);

// The same for a task that goes on without its shim: one that has no end yet may be taken again.
enum class Taken { kNo, kFirst, kAgain };
Taken TakeAgain(int* state);

enum class Heard { kYes, kTryAgain };

// The command of the task in the current folder, by its number and its birth.
struct TaskProcess {
  pid_t pid = -1;
  char born[128] = {};  // as in `state`
};
TaskProcess ReadTaskProcess();
// Whether the number is still its own, and was not given to another process.
bool IsItself(const TaskProcess& process);

// Notes that the command runs. Call again while it says so: the server's queue was full.
Heard NoteStarted(const Spec& spec, int state, pid_t pid, std::int64_t at);
Heard TellStarted(const Spec& spec, pid_t pid, std::int64_t at);

bool WriteEnd(const Spec& spec, int state, const End& end);

}  // namespace yard::shim

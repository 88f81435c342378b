// Starts programs from a large process without copying it, and waits for them by pidfd.
//
// The child gets the given streams and nothing else that is open here, a session of its own, and
// all signals blocked or none. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace yard::engine {

enum class Signals { kBlocked, kOpen };

struct SpawnSpec {
  std::vector<std::string> argv;  // the first is a path
  std::vector<std::string> envp;  // NAME=VALUE
  int input = -1;                 // -1: /dev/null
  int output = -1;
  int error = -1;
  int kept = -1;  // comes as descriptor 3; -1: none
  Signals signals = Signals::kOpen;
};

struct Child {
  int pid = -1;
  UniqueFd pidfd;
};

Result<Child> Spawn(const SpawnSpec& spec);

UniqueFd OpenPidfd(int pid);
// Whether the process behind the pidfd has ended.
bool HasEnded(int pidfd);
// Waits for a child to end: its exit code, or 128 + signal.
Result<std::int32_t> WaitFor(int pidfd);
// Takes the ended child's entry off the process table; nothing if it was not ours.
void Reap(int pidfd);
// Sends a signal with a value, as sigqueue(3) does.
bool Queue(int pidfd, int signal, std::uint64_t value);

}  // namespace yard::engine

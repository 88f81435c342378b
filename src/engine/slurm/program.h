// Runs a program of this host to its end: input in, output and exit code out.
//
// Blocks. Thread-safe: no state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/local/native/spawn.h"

namespace yard::engine::slurm {

struct Output {
  std::int32_t code = 0;  // 128 + signal if it was killed
  std::string out;
  std::string err;
};

// The same command with the terminal at its standard input as its controlling one, so that it hears
// of changes of size. For the first process of a session.
std::vector<std::string> WithTerminal(std::vector<std::string> argv);

// kUnavailable if it cannot be started, takes longer than `limit` (it is killed then) or prints
// more than 256 MiB.
Result<Output> RunProgram(SpawnSpec program, std::string_view input, Micros limit);

}  // namespace yard::engine::slurm

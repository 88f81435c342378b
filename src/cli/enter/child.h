// A program of this machine that reads from us or writes to us. No shell is involved.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace yard::cli {

enum class ChildPipe { kItsInput, kItsOutput };

class Child {
 public:
  // Found on PATH. kNotFound if there is no such program.
  static Result<Child> Start(const std::vector<std::string>& words, ChildPipe which);
  Child(Child&&) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  int pipe() const { return pipe_.get(); }
  void ClosePipe() { pipe_.Reset(); }
  // Its exit code; 128 + signal if it was killed.
  int Wait();

 private:
  Child(pid_t pid, UniqueFd pipe) : pid_(pid), pipe_(std::move(pipe)) {}

  pid_t pid_ = -1;
  UniqueFd pipe_;
};

// Runs it with our own standard streams and waits. `variables` ("NAME=value") come before ours.
Result<int> RunProgram(const std::vector<std::string>& words,
                       const std::vector<std::string>& variables = {});

}  // namespace yard::cli

#include "cli/enter/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace yard::cli {
namespace {

constexpr int kSignalBase = 128;

int WaitFor(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<char*> PointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  return pointers;
}

Result<pid_t> Spawn(const std::vector<std::string>& words, posix_spawn_file_actions_t* actions,
                    const std::vector<std::string>& variables) {
  std::vector<char*> argv = PointersTo(words);
  argv.push_back(nullptr);
  std::vector<char*> around = PointersTo(variables);
  for (char** own = environ; *own != nullptr; ++own) around.push_back(*own);
  around.push_back(nullptr);
  pid_t pid = -1;
  int error = posix_spawnp(&pid, argv[0], actions, nullptr, argv.data(), around.data());
  if (error == 0) return pid;
  return Fail(Code::kNotFound, fmt::format("cannot run {}: {}", words[0], std::strerror(error)),
              fmt::format("install {} on this machine", words[0]));
}

}  // namespace

Result<Child> Child::Start(const std::vector<std::string>& words, ChildPipe which) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return Fail(Code::kInternal, "no pipe could be made");
  UniqueFd reading(ends[0]);
  UniqueFd writing(ends[1]);
  bool input = which == ChildPipe::kItsInput;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input ? ends[0] : ends[1],
                                   input ? STDIN_FILENO : STDOUT_FILENO);
  Result<pid_t> pid = Spawn(words, &actions, {});
  posix_spawn_file_actions_destroy(&actions);
  if (!pid) return Fail(pid.error());
  return Child(*pid, std::move(input ? writing : reading));
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pipe_(std::move(other.pipe_)) {}

Child::~Child() {
  pipe_.Reset();
  if (pid_ > 0) WaitFor(pid_);
}

int Child::Wait() {
  return WaitFor(std::exchange(pid_, -1));
}

Result<int> RunProgram(const std::vector<std::string>& words,
                       const std::vector<std::string>& variables) {
  YARD_ASSIGN(pid_t pid, Spawn(words, nullptr, variables));
  return WaitFor(pid);
}

}  // namespace yard::cli

#include "engine/local/native/spawn.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace yard::engine {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

class Attributes {
 public:
  explicit Attributes(Signals signals) {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    if (signals == Signals::kOpen) sigemptyset(&all);
    posix_spawnattr_setsigmask(&attributes_, &all);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

class FileActions {
 public:
  explicit FileActions(const SpawnSpec& spec) {
    posix_spawn_file_actions_init(&actions_);
    Give(spec.input, 0);
    Give(spec.output, 1);
    Give(spec.error, 2);
    if (spec.kept >= 0) posix_spawn_file_actions_adddup2(&actions_, spec.kept, 3);
    posix_spawn_file_actions_addclosefrom_np(&actions_, spec.kept >= 0 ? 4 : 3);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void Give(int from, int to) {
    if (from >= 0) {
      posix_spawn_file_actions_adddup2(&actions_, from, to);
    } else {
      posix_spawn_file_actions_addopen(&actions_, to, "/dev/null", O_RDWR, 0);
    }
  }
  posix_spawn_file_actions_t actions_;
};

}  // namespace

Result<Child> Spawn(const SpawnSpec& spec) {
  const FileActions files(spec);
  const Attributes attributes(spec.signals);
  Child child;
  const int error =
      posix_spawn(&child.pid, spec.argv.front().c_str(), files.get(), attributes.get(),
                  Pointers(spec.argv).data(), Pointers(spec.envp).data());
  if (error != 0)
    return Fail(Code::kUnavailable,
                fmt::format("cannot start {}: {}", spec.argv.front(), std::strerror(error)));
  child.pidfd = OpenPidfd(child.pid);
  if (child.pidfd) return child;
  // Not followed is not started.
  const int refused = errno;
  ::kill(child.pid, SIGKILL);
  ::waitpid(child.pid, nullptr, 0);
  return Fail(Code::kUnavailable,
              fmt::format("cannot follow a process: {}", std::strerror(refused)));
}

UniqueFd OpenPidfd(int pid) {
  return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

bool HasEnded(int pidfd) {
  pollfd poll{pidfd, POLLIN, 0};
  return ::poll(&poll, 1, 0) > 0;
}

Result<std::int32_t> WaitFor(int pidfd) {
  siginfo_t how{};
  while (::waitid(P_PIDFD, static_cast<id_t>(pidfd), &how, WEXITED) != 0)
    if (errno != EINTR)
      return Fail(Code::kUnavailable, fmt::format("cannot wait: {}", std::strerror(errno)));
  return how.si_code == CLD_EXITED ? how.si_status : 128 + how.si_status;
}

void Reap(int pidfd) {
  siginfo_t how{};
  ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &how, WEXITED | WNOHANG);
}

bool Queue(int pidfd, int signal, std::uint64_t value) {
  siginfo_t sent{};
  sent.si_signo = signal;
  sent.si_code = SI_QUEUE;
  sent.si_pid = ::getpid();
  sent.si_uid = ::getuid();
  sent.si_value.sival_ptr = reinterpret_cast<void*>(value);
  return ::syscall(SYS_pidfd_send_signal, pidfd, signal, &sent, 0) == 0;
}

}  // namespace yard::engine

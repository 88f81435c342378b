#include "engine/local/native/launcher.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "shim/format.h"

namespace yard::engine {
namespace {

std::unexpected<Error> CannotStart(const std::string& program, int error) {
  return Fail(Code::kUnavailable,
              fmt::format("cannot start {}: {}", program, std::strerror(error)));
}

bool Send(int socket, const std::string& folder, int kept) {
  iovec bytes{const_cast<char*>(folder.data()), folder.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  if (kept >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    cmsghdr* given = CMSG_FIRSTHDR(&message);
    given->cmsg_level = SOL_SOCKET;
    given->cmsg_type = SCM_RIGHTS;
    given->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(given), &kept, sizeof(kept));
  }
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) >= 0;
}

}  // namespace

Launcher::~Launcher() {
  Close();
}

Status Launcher::Open() {
  if (socket_) return {};
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return CannotStart(program_, errno);
  socket_ = UniqueFd(ends[0]);
  const UniqueFd theirs(ends[1]);
  SpawnSpec spec;
  spec.argv = {program_, "serve"};
  spec.signals = Signals::kBlocked;
  spec.kept = theirs.get();
  Result<Child> started = Spawn(spec);
  if (!started) {
    socket_.Reset();
    return Fail(started.error());
  }
  process_ = std::move(*started);
  return {};
}

void Launcher::Close() {
  socket_.Reset();  // which ends it
  if (process_.pidfd) (void)WaitFor(process_.pidfd.get());
  process_ = {};
}

std::optional<std::int32_t> Launcher::Ask(const std::string& folder, int kept) {
  std::int32_t answer = 0;
  if (!Send(socket_.get(), folder, kept)) return std::nullopt;
  ssize_t got = 0;
  do {
    got = ::recv(socket_.get(), &answer, sizeof(answer), 0);
  } while (got < 0 && errno == EINTR);
  return got == sizeof(answer) ? std::optional(answer) : std::nullopt;
}

Result<Child> Launcher::Start(const TaskFolder& folder, int kept) {
  std::lock_guard hold(mutex_);
  YARD_TRY(Open());
  std::optional<std::int32_t> answer = Ask(folder.path(), kept);
  if (!answer) {
    Close();
    YARD_TRY(Open());
    answer = Ask(folder.path(), kept);
  }
  if (!answer || *answer < 0) return CannotStart(program_, answer ? -*answer : ECONNRESET);
  Child child{*answer, OpenPidfd(*answer)};
  if (child.pidfd) return child;
  // Not followed is not started.
  const int refused = errno;
  ::kill(child.pid, SIGKILL);
  ::waitpid(child.pid, nullptr, 0);
  return Fail(Code::kUnavailable,
              fmt::format("cannot follow a process: {}", std::strerror(refused)));
}

}  // namespace yard::engine

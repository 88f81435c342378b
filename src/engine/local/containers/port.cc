#include "engine/local/containers/port.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "engine/local/native/spawn.h"
#include "engine/local/native/usage.h"

namespace yard::engine::containers {

Result<UniqueFd> ConnectTo(const std::string& address, std::uint16_t port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  if (::inet_pton(AF_INET, address.c_str(), &to.sin_addr) != 1)
    return Fail(Code::kInternal, fmt::format("'{}' is not an address", address));
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (fd && ::connect(fd.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return fd;
  return Fail(Code::kUnavailable,
              fmt::format("nobody listens on port {}: {}", port, std::strerror(errno)));
}

Result<UniqueFd> ConnectBeside(const TaskRecord& record, std::uint16_t port) {
  const std::string path = fmt::format("/proc/{}/ns/net", record.pid);
  UniqueFd space(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!space)
    return Fail(errno == ENOENT ? Code::kUnavailable : Code::kForbidden,
                fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  // Looked at after it was opened: until then the number was its own.
  if (!IsItself(record)) return Fail(Code::kUnavailable, "the task's first process is gone");
  Result<UniqueFd> connected = Fail(Code::kInternal, "not tried");
  // A thread of its own, because one that entered another namespace is of no use afterwards.
  std::thread([&] {
    if (::setns(space.get(), CLONE_NEWNET) == 0)
      connected = ConnectTo("127.0.0.1", port);
    else
      connected =
          Fail(Code::kForbidden, fmt::format("cannot enter {}: {}", path, std::strerror(errno)));
  }).join();
  return connected;
}

namespace {

// The descriptor that comes with the one message; none: the other end has closed without.
UniqueFd Receive(int from) {
  char word = 0;
  iovec words{&word, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
  msghdr message{};
  message.msg_iov = &words;
  message.msg_iovlen = 1;
  message.msg_control = room.data();
  message.msg_controllen = room.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(from, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr* given = got == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (given == nullptr || given->cmsg_type != SCM_RIGHTS) return {};
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(given), sizeof fd);
  return UniqueFd(fd);
}

}  // namespace

Result<UniqueFd> ConnectByProgram(const std::string& shim, std::int32_t pid, std::uint16_t port) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return Fail(Code::kInternal, fmt::format("no pair of sockets: {}", std::strerror(errno)));
  UniqueFd ours(ends[0]);
  UniqueFd theirs(ends[1]);
  SpawnSpec spawn;
  spawn.argv = {shim, "connect", fmt::to_string(pid), fmt::to_string(port)};
  spawn.kept = theirs.get();
  YARD_ASSIGN(Child child, Spawn(spawn));
  theirs.Reset();
  UniqueFd connection = Receive(ours.get());
  YARD_ASSIGN(std::int32_t code, WaitFor(child.pidfd.get()));
  if (connection) return connection;
  const bool refused = code == ECONNREFUSED || code == ENOENT || code == ESRCH;
  return Fail(refused ? Code::kUnavailable : Code::kForbidden,
              fmt::format("nobody is reached on port {}: {}", port, std::strerror(code)));
}

}  // namespace yard::engine::containers

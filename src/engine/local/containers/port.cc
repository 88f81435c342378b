#include "engine/local/containers/port.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include <fmt/format.h>

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

Result<UniqueFd> ConnectBeside(std::int32_t pid, std::uint16_t port) {
  const std::string path = fmt::format("/proc/{}/ns/net", pid);
  UniqueFd space(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!space)
    return Fail(errno == ENOENT ? Code::kUnavailable : Code::kForbidden,
                fmt::format("cannot open {}: {}", path, std::strerror(errno)));
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

}  // namespace yard::engine::containers

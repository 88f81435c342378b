#include "engine/local/containers/channel.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace yard::engine::containers {

void SetNonBlocking(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

Result<Channel> Channel::Make() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Fail(Code::kUnavailable, fmt::format("cannot make a channel: {}", std::strerror(errno)));
  SetNonBlocking(ends[1]);
  return Channel{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

bool Channel::Send(std::string_view bytes) const {
  while (!bytes.empty()) {
    ssize_t sent = ::send(ours.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Channel::EndOurs() const {
  ::shutdown(ours.get(), SHUT_WR);
}

void Channel::HangUp() const {
  ::shutdown(ours.get(), SHUT_RDWR);
}

}  // namespace yard::engine::containers

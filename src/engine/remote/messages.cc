#include "engine/remote/messages.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/bytes.h"

namespace yard::engine::remote {
namespace {

constexpr std::size_t kRoomForDescriptors = CMSG_SPACE(sizeof(int) * kMostDescriptors);

// With the first byte go the descriptors.
ssize_t SendHead(int socket, std::string_view bytes, std::span<const int> descriptors) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, kRoomForDescriptors> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* given = CMSG_FIRSTHDR(&message);
    given->cmsg_level = SOL_SOCKET;
    given->cmsg_type = SCM_RIGHTS;
    given->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(given), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

bool ReceiveAll(int socket, char* into, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::recv(socket, into, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void TakeDescriptors(msghdr& message, std::vector<UniqueFd>& into) {
  for (cmsghdr* at = CMSG_FIRSTHDR(&message); at != nullptr; at = CMSG_NXTHDR(&message, at)) {
    if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(at) + i * sizeof(int), sizeof(fd));
      into.emplace_back(fd);
    }
  }
}

}  // namespace

bool Send(int socket, std::string_view bytes, std::span<const int> descriptors) {
  if (bytes.size() > kLargestMessage || descriptors.size() > kMostDescriptors) return false;
  std::string whole;
  whole.reserve(sizeof(std::uint32_t) + bytes.size());
  AppendFixed32(whole, static_cast<std::uint32_t>(bytes.size()));
  whole.append(bytes);
  std::string_view left = whole;
  while (!left.empty()) {
    const ssize_t sent = SendHead(socket, left, descriptors);
    if (sent <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(sent));
    descriptors = {};
  }
  return true;
}

std::optional<Message> Receive(int socket) {
  std::array<char, sizeof(std::uint32_t)> head{};
  iovec part{head.data(), head.size()};
  alignas(cmsghdr) std::array<char, kRoomForDescriptors> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return std::nullopt;
  Message received;
  TakeDescriptors(message, received.descriptors);
  const auto first = static_cast<std::size_t>(got);
  if (!ReceiveAll(socket, head.data() + first, head.size() - first)) return std::nullopt;
  const std::uint32_t size = LoadFixed32(head.data());
  if (size > kLargestMessage) return std::nullopt;
  received.bytes.resize(size);
  if (!ReceiveAll(socket, received.bytes.data(), size)) return std::nullopt;
  return received;
}

}  // namespace yard::engine::remote

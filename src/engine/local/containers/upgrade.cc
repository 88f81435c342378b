// The part of http.h that libcurl has no words for: a connection that stops being HTTP.
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/local/containers/http.h"

namespace yard::engine::containers {
namespace {

constexpr std::size_t kHeadLimit = 64 << 10;

Status SendAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0)
      return Fail(Code::kUnavailable,
                  fmt::format("the container daemon hung up: {}", std::strerror(errno)));
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

ssize_t Receive(int fd, char* buffer, std::size_t size, int flags) {
  for (;;) {
    ssize_t got = ::recv(fd, buffer, size, flags);
    if (got >= 0 || errno != EINTR) return got;
  }
}

// Everything up to the empty line and not a byte more: what follows belongs to the stream.
Result<std::string> ReadHead(int fd) {
  std::string head;
  char buffer[2048];
  while (head.size() < kHeadLimit) {
    ssize_t seen = Receive(fd, buffer, sizeof buffer, MSG_PEEK);
    if (seen <= 0) break;
    std::size_t before = head.size();
    head.append(buffer, static_cast<std::size_t>(seen));
    std::size_t end = head.find("\r\n\r\n", before < 3 ? 0 : before - 3);
    if (end != std::string::npos) head.resize(end + 4);
    std::size_t used = head.size() - before;
    if (Receive(fd, buffer, used, MSG_WAITALL) != static_cast<ssize_t>(used)) break;
    if (end != std::string::npos) return head;
  }
  return Fail(Code::kUnavailable, "the container daemon hung up before it answered");
}

int StatusOf(std::string_view head) {
  int status = 0;
  if (head.size() > 12) std::from_chars(head.data() + 9, head.data() + 12, status);
  return status;
}

std::size_t LengthOf(std::string_view head) {
  for (std::string_view line : Split(head, '\n')) {
    std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (!EqualsIgnoreCase(line.substr(0, colon), "content-length")) continue;
    auto length = ParseInt(Trim(line.substr(colon + 1)));
    return length && *length > 0 ? static_cast<std::size_t>(*length) : 0;
  }
  return 0;
}

std::string ReadBody(int fd, std::size_t length) {
  std::string body(std::min(length, kHeadLimit), '\0');
  ssize_t got = Receive(fd, body.data(), body.size(), MSG_WAITALL);
  body.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return body;
}

}  // namespace

Result<UniqueFd> ConnectUnix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Fail(Code::kInvalid, fmt::format("the path of the socket is too long: {}", path));
  std::memcpy(address.sun_path, path.data(), path.size());
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd || ::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return Fail(Code::kUnavailable,
                fmt::format("{} cannot be reached: {}", path, std::strerror(errno)));
  return fd;
}

Result<Upgraded> Upgrade(const std::string& socket_path, const Request& request) {
  YARD_ASSIGN(UniqueFd fd, ConnectUnix(socket_path));
  YARD_TRY(SendAll(
      fd.get(), fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                            "Upgrade: tcp\r\nContent-Type: application/json\r\n"
                            "Content-Length: {}\r\n\r\n{}",
                            request.method, Target(request), request.body.size(), request.body)));
  YARD_ASSIGN(std::string head, ReadHead(fd.get()));
  int status = StatusOf(head);
  Upgraded upgraded;
  if (status == 101 || status == 200)
    upgraded.stream = std::move(fd);
  else
    upgraded.refusal = {status, ReadBody(fd.get(), LengthOf(head))};
  return upgraded;
}

}  // namespace yard::engine::containers

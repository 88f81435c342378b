#include "http/testing/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace yard::http::testing {
namespace {

constexpr int kPatienceSeconds = 60;

// A descriptor, or -1 when nobody listens. A receive buffer of 0 leaves the kernel's choice.
int ConnectTcp(std::uint16_t port, int receive_buffer) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (receive_buffer > 0) {
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
  ::close(fd);
  return -1;
}

}  // namespace

std::string RawReply::Find(std::string_view name) const {
  for (const Header& header : headers) {
    if (header.first == name) return header.second;
  }
  return {};
}

RawClient::RawClient(int fd) : fd_(fd) {
  YARD_CHECK(fd_ >= 0);
  timeval patience{kPatienceSeconds, 0};
  setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

RawClient::RawClient(RawClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), buffer_(std::move(other.buffer_)) {}

RawClient::~RawClient() {
  Close();
}

RawClient RawClient::Tcp(std::uint16_t port) {
  return RawClient(ConnectTcp(port, 0));
}

RawClient RawClient::TcpWithSmallWindow(std::uint16_t port) {
  return RawClient(ConnectTcp(port, 4096));
}

RawClient RawClient::TcpFrom(std::uint8_t last_byte, std::uint16_t port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + last_byte);
  YARD_CHECK(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  YARD_CHECK(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  return RawClient(fd);
}

bool RawClient::IsServed(std::uint16_t port) {
  int fd = ConnectTcp(port, 0);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

RawClient RawClient::Unix(const std::string& path) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  YARD_CHECK(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  return RawClient(fd);
}

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool RawClient::Fill() {
  char bytes[16 * 1024];
  ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
  if (n <= 0) return false;
  buffer_.append(bytes, static_cast<std::size_t>(n));
  return true;
}

std::optional<std::string> RawClient::TakeLine() {
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n")) == std::string::npos) {
    if (!Fill()) return std::nullopt;
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 2);
  return line;
}

bool RawClient::TakeExactly(std::size_t n, std::string& out) {
  while (buffer_.size() < n) {
    if (!Fill()) return false;
  }
  out.append(buffer_, 0, n);
  buffer_.erase(0, n);
  return true;
}

std::optional<RawReply> RawClient::ReadHead() {
  auto line = TakeLine();
  if (!line || !line->starts_with("HTTP/1.1 ")) return std::nullopt;
  RawReply reply;
  reply.status = static_cast<int>(ParseInt(line->substr(9, 3)).value_or(0));
  while ((line = TakeLine()) && !line->empty()) {
    std::size_t colon = line->find(':');
    if (colon == std::string::npos) return std::nullopt;
    reply.headers.emplace_back(Lower(line->substr(0, colon)),
                               std::string(Trim(std::string_view(*line).substr(colon + 1))));
  }
  if (!line) return std::nullopt;
  return reply;
}

void RawClient::ReadChunks(RawReply& reply) {
  for (;;) {
    auto line = TakeLine();
    if (!line) return;
    std::size_t size = 0;
    std::from_chars(line->data(), line->data() + line->size(), size, 16);
    std::string ending;
    if (size > 0 && !TakeExactly(size, reply.body)) return;
    if (!TakeExactly(2, ending) || ending != "\r\n") return;
    if (size == 0) {
      reply.complete = true;
      return;
    }
  }
}

RawReply RawClient::Read() {
  auto reply = ReadHead();
  if (!reply) return {};
  if (reply->Find("transfer-encoding") == "chunked") {
    ReadChunks(*reply);
  } else if (auto length = ParseInt(reply->Find("content-length"))) {
    reply->complete = TakeExactly(static_cast<std::size_t>(*length), reply->body);
  } else {
    reply->complete = true;
  }
  return *reply;
}

RawReply RawClient::ReadHeadOnly() {
  return ReadHead().value_or(RawReply{});
}

std::string RawClient::ReadBytes(std::size_t n) {
  while (buffer_.size() < n && Fill()) {
  }
  return std::exchange(buffer_, {});
}

bool RawClient::AtEnd() {
  if (!buffer_.empty()) return false;
  char byte = 0;
  ssize_t n = ::recv(fd_, &byte, 1, 0);
  return n == 0 || (n < 0 && errno == ECONNRESET);
}

std::string RawClient::ReadAll() {
  while (Fill()) {
  }
  return std::exchange(buffer_, {});
}

void RawClient::CloseWriting() {
  ::shutdown(fd_, SHUT_WR);
}

void RawClient::Close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

}  // namespace yard::http::testing

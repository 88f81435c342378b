#include "api/testing/plain_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <charconv>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace yard::api::testing {
namespace {

constexpr int kPatienceSeconds = 20;

}  // namespace

PlainClient::PlainClient(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  YARD_CHECK(connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  timeval patience{kPatienceSeconds, 0};
  setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

void PlainClient::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool PlainClient::Fill() {
  char bytes[16 * 1024];
  ssize_t n = ::recv(fd_.get(), bytes, sizeof bytes, 0);
  if (n > 0) buffer_.append(bytes, static_cast<std::size_t>(n));
  return n > 0;
}

bool PlainClient::TakeExactly(std::size_t n, std::string& out) {
  while (buffer_.size() < n) {
    if (!Fill()) return false;
  }
  out.append(buffer_, 0, n);
  buffer_.erase(0, n);
  return true;
}

std::string PlainClient::ReadUntil(std::string_view part) {
  while (!buffer_.contains(part)) {
    if (!Fill()) return std::exchange(buffer_, {});
  }
  std::size_t end = buffer_.find(part) + part.size();
  std::string got = buffer_.substr(0, end);
  buffer_.erase(0, end);
  return got;
}

void PlainClient::TakeChunks(Answer& answer) {
  while (true) {
    std::string line = ReadUntil("\r\n");
    std::size_t size = 0;
    auto parsed = std::from_chars(line.data(), line.data() + line.size(), size, 16);
    std::string ending;
    if (parsed.ec != std::errc() || !TakeExactly(size, answer.body)) return;
    if (!TakeExactly(2, ending)) return;
    answer.whole = size == 0;
    if (answer.whole) return;
  }
}

PlainClient::Answer PlainClient::Send(std::string_view request) {
  Write(request);
  Answer answer;
  answer.head = ReadUntil("\r\n\r\n");
  if (!answer.head.starts_with("HTTP/1.1 ")) return answer;
  answer.status = static_cast<int>(ParseInt(answer.head.substr(9, 3)).value_or(0));
  std::string lower = Lower(answer.head);
  if (lower.contains("transfer-encoding: chunked")) {
    TakeChunks(answer);
  } else if (std::size_t at = lower.find("content-length: "); at != std::string::npos) {
    std::string_view rest = std::string_view(lower).substr(at + 16);
    auto size = ParseInt(rest.substr(0, rest.find('\r'))).value_or(0);
    answer.whole = TakeExactly(static_cast<std::size_t>(size), answer.body);
  }
  return answer;
}

}  // namespace yard::api::testing

#include "http/listen.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "http/peer.h"

namespace yard::http {
namespace {

constexpr int kBacklog = 4096;
constexpr int kSocketFlags = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
constexpr mode_t kAnyone = 0666;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

std::string ErrnoText() {
  return std::strerror(errno);
}

std::string FormatAddress(const sockaddr_storage& address, socklen_t length) {
  char host[NI_MAXHOST];
  char port[NI_MAXSERV];
  if (getnameinfo(reinterpret_cast<const sockaddr*>(&address), length, host, sizeof host, port,
                  sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return "unknown";
  }
  return address.ss_family == AF_INET6 ? fmt::format("[{}]:{}", host, port)
                                       : fmt::format("{}:{}", host, port);
}

// An address of IPv4; of IPv6 the half that providers give to one customer.
std::string NetworkOf(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address).sin_addr;
    return {reinterpret_cast<const char*>(&v4), sizeof v4};
  }
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&v6)) return {reinterpret_cast<const char*>(&v6.s6_addr[12]), 4};
  return {reinterpret_cast<const char*>(&v6), sizeof v6 / 2};
}

std::uint16_t BoundPort(int fd) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length);
  in_port_t port = address.ss_family == AF_INET6
                       ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                       : reinterpret_cast<const sockaddr_in&>(address).sin_port;
  return ntohs(port);
}

// A descriptor, or -1 with errno set.
int BindAndListen(const addrinfo& address) {
  int fd = socket(address.ai_family, kSocketFlags, 0);
  if (fd < 0) return -1;
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, address.ai_addr, address.ai_addrlen) == 0 && listen(fd, kBacklog) == 0) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

bool SomebodyListens(const sockaddr_un& address) {
  int fd = socket(AF_UNIX, kSocketFlags, 0);
  if (fd < 0) return false;
  bool connected = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
                   errno == EAGAIN;
  close(fd);
  return connected;
}

Status ClearUnixPath(const std::string& path, const sockaddr_un& address) {
  struct stat found{};
  if (lstat(path.c_str(), &found) != 0) return {};
  if (!S_ISSOCK(found.st_mode)) {
    return Fail(Code::kConflict, fmt::format("{} exists and is not a socket", path),
                "choose another path for the unix socket");
  }
  if (SomebodyListens(address)) {
    return Fail(Code::kConflict, fmt::format("another server listens on {}", path),
                "stop it, or choose another path for the unix socket");
  }
  unlink(path.c_str());
  return {};
}

}  // namespace

Listener::Listener(int fd, std::uint16_t port, std::string unix_path)
    : fd_(fd), port_(port), unix_path_(std::move(unix_path)) {}

Listener::Listener(Listener&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      port_(other.port_),
      unix_path_(std::exchange(other.unix_path_, {})) {}

Listener::~Listener() {
  if (fd_ >= 0) close(fd_);
  if (!unix_path_.empty()) unlink(unix_path_.c_str());
}

Result<Listener> Listener::Tcp(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  int error = getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(),
                          &hints, &list);
  if (error != 0) {
    return Fail(Code::kInvalid, fmt::format("cannot listen on {}: {}", host, gai_strerror(error)),
                "give an address of this machine, for example 127.0.0.1");
  }
  std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
  for (const addrinfo* address = list; address != nullptr; address = address->ai_next) {
    int fd = BindAndListen(*address);
    if (fd >= 0) return Listener(fd, BoundPort(fd), {});
  }
  return Fail(Code::kUnavailable,
              fmt::format("cannot listen on {} port {}: {}", host, port, ErrnoText()),
              "choose another port, or stop what uses it");
}

Result<Listener> Listener::Unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return Fail(Code::kInvalid, fmt::format("the unix socket path is empty or too long: {}", path),
                fmt::format("use at most {} bytes", sizeof address.sun_path - 1));
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  YARD_TRY(ClearUnixPath(path, address));
  addrinfo where{};
  where.ai_family = AF_UNIX;
  where.ai_addr = reinterpret_cast<sockaddr*>(&address);
  where.ai_addrlen = sizeof address;
  int fd = BindAndListen(where);
  if (fd < 0) {
    return Fail(Code::kUnavailable, fmt::format("cannot listen on {}: {}", path, ErrnoText()),
                "check that its folder exists and may be written");
  }
  Listener listener(fd, 0, path);
  if (chmod(path.c_str(), kAnyone) != 0) {
    return Fail(Code::kUnavailable, fmt::format("cannot open {} to users: {}", path, ErrnoText()));
  }
  return listener;
}

Listener::Outcome Listener::Accept(Accepted& accepted) const {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  int fd =
      accept4(fd_, reinterpret_cast<sockaddr*>(&address), &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) {
    bool exhausted = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    return exhausted ? Outcome::kExhausted : Outcome::kNothing;
  }
  accepted = Accepted{.fd = fd, .family = address.ss_family};
  if (unix_path_.empty()) {
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    accepted.address = FormatAddress(address, length);
    accepted.network = NetworkOf(address);
  } else {
    accepted.family = AF_UNIX;
    accepted.address = "unix";
    accepted.credentials = ReadCredentials(fd);
    accepted.network = fmt::format(
        "uid {}", accepted.credentials ? std::to_string(accepted.credentials->uid) : "unknown");
  }
  return Outcome::kAccepted;
}

}  // namespace yard::http

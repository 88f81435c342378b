// Listening sockets, the plain POSIX way. Every descriptor is non-blocking and close-on-exec.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "http/connection.h"

namespace yard::http {

// Owns a listening descriptor; a unix socket's file goes with it.
class Listener {
 public:
  // An empty host means every address. Port 0 takes any free one.
  static Result<Listener> Tcp(const std::string& host, std::uint16_t port);
  // Takes the place of a socket nobody listens on any more. Mode 0666: the kernel says who calls.
  static Result<Listener> Unix(const std::string& path);

  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&&) = delete;
  ~Listener();

  int fd() const { return fd_; }
  std::uint16_t port() const { return port_; }

  enum class Outcome { kAccepted, kNothing, kExhausted };
  // kExhausted: no descriptor or memory is left; try again later.
  Outcome Accept(Accepted& accepted) const;

 private:
  Listener(int fd, std::uint16_t port, std::string unix_path);

  int fd_;
  std::uint16_t port_;
  std::string unix_path_;
};

}  // namespace yard::http

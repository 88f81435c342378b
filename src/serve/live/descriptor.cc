#include "serve/live/descriptor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace yard::serve {
namespace {

bool IsTemporary(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

Flow ReadSome(int fd, std::size_t most, std::string& bytes) {
  bytes.resize(most);
  ssize_t n = ::read(fd, bytes.data(), most);
  int error = errno;
  bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  if (n > 0) return Flow::kSome;
  return n < 0 && IsTemporary(error) ? Flow::kNotNow : Flow::kEnded;
}

// A socket whose peer is gone must not raise SIGPIPE; a pipe cannot be told so and relies on the
// program's having it ignored.
Flow WriteSome(int fd, std::string_view& bytes) {
  ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (n < 0 && errno == ENOTSOCK) n = ::write(fd, bytes.data(), bytes.size());
  if (n < 0) return IsTemporary(errno) ? Flow::kNotNow : Flow::kEnded;
  bytes.remove_prefix(static_cast<std::size_t>(n));
  return Flow::kSome;
}

void SetNonBlocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  if (flags >= 0) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

}  // namespace yard::serve

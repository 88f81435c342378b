#include "shim/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace yard::shim {
namespace {

int ListenHere() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, kTtyName);
  unlink(kTtyName);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0 && bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
      chmod(kTtyName, 0600) == 0 && listen(fd, 8) == 0)
    return fd;
  if (fd >= 0) close(fd);
  return -1;
}

}  // namespace

Failure Terminal::Open(int* slave) {
  master_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master_ < 0 || unlockpt(master_) != 0) return {"cannot open a terminal", "", errno};
  *slave = ioctl(master_, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*slave < 0) return {"cannot open a terminal", "", errno};
  const winsize size{24, 80, 0, 0};
  ioctl(master_, TIOCSWINSZ, &size);
  listener_ = ListenHere();
  if (listener_ < 0) return {"cannot listen on", kTtyName, errno};
  return {};
}

void Terminal::Prepare(pollfd* polls) const {
  polls[0] = {listener_, POLLIN, 0};
  for (int i = 0; i < kClients; ++i) polls[i + 1] = {clients_[i].fd, POLLIN, 0};
}

void Terminal::Serve(const pollfd* polls) {
  for (int i = 0; i < kClients; ++i)
    if (polls[i + 1].revents != 0) Receive(clients_[i]);
  if (polls[0].revents != 0) Admit();
}

void Terminal::Admit() {
  const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) return;
  const timeval patience{1, 0};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  for (Client& client : clients_) {
    if (client.fd >= 0) continue;
    client = {};
    client.fd = fd;
    return;
  }
  close(fd);
}

void Terminal::Receive(Client& client) {
  char bytes[4096];
  const ssize_t got = recv(client.fd, bytes, sizeof(bytes), MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return Drop(client);
  const auto size = static_cast<std::size_t>(got);
  for (std::size_t at = 0; at < size;) at += TakeBytes(client, bytes + at, size - at);
  // When somebody last typed: the server reads it from here.
  utimensat(AT_FDCWD, kTtyName, nullptr, 0);
}

// Takes some of the bytes and says how many.
std::size_t Terminal::TakeBytes(Client& client, const char* bytes, std::size_t size) {
  if (client.head_got < sizeof(client.head)) {
    reinterpret_cast<char*>(&client.head)[client.head_got++] = bytes[0];
    client.body_left = client.head_got == sizeof(client.head) ? client.head.length : 0;
    client.body_got = 0;
    if (client.head_got == sizeof(client.head) && client.body_left == 0) client.head_got = 0;
    return 1;
  }
  const std::size_t taken = size < client.body_left ? size : client.body_left;
  if (client.head.kind == static_cast<std::uint8_t>(TtyKind::kInput)) {
    // A command that does not read must not stop the shim: then the rest is lost.
    if (write(master_, bytes, taken) < 0) client.body_got = 0;
  } else {
    for (std::size_t i = 0; i < taken && client.body_got < sizeof(client.body); ++i)
      client.body[client.body_got++] = bytes[i];
    if (taken == client.body_left) Resize(client.body);
  }
  client.body_left -= taken;
  if (client.body_left == 0) client.head_got = 0;
  return taken;
}

void Terminal::Resize(const char* body) const {
  std::uint16_t sides[2];
  memcpy(sides, body, sizeof(sides));
  const winsize size{sides[0], sides[1], 0, 0};
  ioctl(master_, TIOCSWINSZ, &size);
}

void Terminal::Show(const char* bytes, std::size_t size) {
  for (Client& client : clients_) {
    if (client.fd < 0) continue;
    for (std::size_t at = 0; at < size;) {
      const ssize_t sent = send(client.fd, bytes + at, size - at, MSG_NOSIGNAL);
      if (sent <= 0) {
        Drop(client);
        break;
      }
      at += static_cast<std::size_t>(sent);
    }
  }
}

void Terminal::Drop(Client& client) {
  close(client.fd);
  client.fd = -1;
}

void Terminal::Close() {
  for (Client& client : clients_)
    if (client.fd >= 0) Drop(client);
  if (listener_ >= 0) close(listener_);
  listener_ = -1;
  unlink(kTtyName);
}

}  // namespace yard::shim

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

Failure Terminal::OpenOn(int stream, Resize resize, void* context) {
  master_ = stream;
  resize_ = resize;
  resize_context_ = context;
  listener_ = ListenHere();
  if (listener_ < 0) return {"cannot listen on", kTtyName, errno};
  return {};
}

void Terminal::Prepare(pollfd* polls) const {
  polls[0] = {listener_, POLLIN, 0};
  for (int i = 0; i < kClients; ++i) {
    const auto events = static_cast<short>(clients_[i].talks ? POLLIN : 0);
    polls[i + 1] = {clients_[i].fd, events, 0};
  }
}

void Terminal::Serve(const pollfd* polls) {
  // A new size counts for what is typed after it, so it comes first.
  for (int i = 0; i < kClients; ++i)
    if (polls[i + 1].revents != 0 && IsControl(clients_[i])) Receive(clients_[i]);
  for (int i = 0; i < kClients; ++i)
    if (polls[i + 1].revents != 0 && clients_[i].fd >= 0 && !IsControl(clients_[i]))
      Receive(clients_[i]);
  if (polls[0].revents != 0) Admit();
}

bool Terminal::IsControl(Client& client) {
  if (client.use == 0 && recv(client.fd, &client.use, 1, MSG_DONTWAIT) != 1) return false;
  return client.use == static_cast<std::uint8_t>(TtyUse::kControl);
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
  if (got == 0 && client.talks && client.use == static_cast<std::uint8_t>(TtyUse::kStream)) {
    client.talks = false;  // still listens
    return;
  }
  if (got <= 0) return Drop(client);
  std::size_t at = 0;
  if (client.use == 0) client.use = static_cast<std::uint8_t>(bytes[at++]);
  TakeInput(client, bytes + at, static_cast<std::size_t>(got) - at);
}

void Terminal::TakeInput(Client& client, const char* bytes, std::size_t size) {
  if (client.use != static_cast<std::uint8_t>(TtyUse::kStream)) {
    for (std::size_t i = 0; i < size; ++i) TakeByte(client, static_cast<std::uint8_t>(bytes[i]));
    return;
  }
  if (size == 0) return;
  // What the command does not read is lost: it must not stop the shim.
  if (write(master_, bytes, size) < 0) return;
  // When somebody last typed: the server reads it from here.
  utimensat(AT_FDCWD, kTtyName, nullptr, 0);
}

void Terminal::TakeByte(Client& client, std::uint8_t byte) {
  client.size[client.size_got++] = byte;
  if (client.size_got < sizeof(client.size)) return;
  client.size_got = 0;
  TtySize wanted;
  memcpy(&wanted, client.size, sizeof(wanted));
  if (resize_ != nullptr) return resize_(resize_context_, wanted);
  const winsize size{wanted.rows, wanted.columns, 0, 0};
  ioctl(master_, TIOCSWINSZ, &size);
}

void Terminal::Show(const char* bytes, std::size_t size) {
  for (Client& client : clients_) {
    if (client.use != static_cast<std::uint8_t>(TtyUse::kStream)) continue;
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
  client = {};
}

void Terminal::Close() {
  for (Client& client : clients_)
    if (client.fd >= 0) Drop(client);
  if (listener_ >= 0) close(listener_);
  listener_ = -1;
  unlink(kTtyName);
}

}  // namespace yard::shim

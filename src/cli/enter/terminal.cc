#include "cli/enter/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace yard::cli {
namespace {

volatile int resize_pipe = -1;

void OnResize(int) {
  int saved = errno;
  char byte = 0;
  [[maybe_unused]] ssize_t written = write(resize_pipe, &byte, 1);
  errno = saved;
}

}  // namespace

RawMode::RawMode(int fd) : fd_(fd) {
  if (tcgetattr(fd_, &before_) != 0) return;
  termios raw = before_;
  cfmakeraw(&raw);
  changed_ = tcsetattr(fd_, TCSANOW, &raw) == 0;
}

RawMode::~RawMode() {
  if (changed_) tcsetattr(fd_, TCSANOW, &before_);
}

WindowSize SizeOf(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {};
  return {size.ws_row, size.ws_col};
}

ResizeSignal::ResizeSignal() {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  read_.Reset(ends[0]);
  write_.Reset(ends[1]);
  resize_pipe = write_.get();
  struct sigaction action{};
  action.sa_handler = OnResize;
  action.sa_flags = SA_RESTART;
  sigaction(SIGWINCH, &action, nullptr);
}

ResizeSignal::~ResizeSignal() {
  std::signal(SIGWINCH, SIG_DFL);
  resize_pipe = -1;
}

void ResizeSignal::Drain() {
  std::array<char, 64> bytes{};
  while (read(read_.get(), bytes.data(), bytes.size()) > 0) {
  }
}

bool IsTerminal(int fd) {
  return isatty(fd) != 0;
}

void IgnoreBrokenPipes() {
  std::signal(SIGPIPE, SIG_IGN);
}

bool WriteAll(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    ssize_t written = write(fd, bytes, size);
    if (written < 0 && errno == EAGAIN) {
      pollfd writable{.fd = fd, .events = POLLOUT, .revents = 0};
      poll(&writable, 1, -1);
      continue;
    }
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace yard::cli

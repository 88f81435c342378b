#include "app/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <iostream>

#include "base/strings.h"

namespace yard::app {
namespace {

constexpr std::size_t kUsualWidth = 80;

std::size_t TerminalWidth(const Environment& environment) {
  if (isatty(STDOUT_FILENO) == 0) return 0;
  if (auto columns = ParseInt(environment.Find("COLUMNS").value_or("")); columns && *columns > 0)
    return static_cast<std::size_t>(*columns);
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kUsualWidth;
}

// Turns the terminal's echo off for as long as it lives.
class NoEcho {
 public:
  explicit NoEcho(int terminal) : terminal_(terminal) {
    tcgetattr(terminal_, &before_);
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    tcsetattr(terminal_, TCSAFLUSH, &quiet);
  }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;
  ~NoEcho() { tcsetattr(terminal_, TCSAFLUSH, &before_); }

 private:
  int terminal_;
  termios before_{};
};

std::optional<std::string> ReadLine(int terminal) {
  std::string line;
  char c = 0;
  while (read(terminal, &c, 1) == 1) {
    if (c == '\n') return line;
    line += c;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> ReadSecret(const std::string& prompt) {
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) return std::nullopt;
  std::optional<std::string> secret;
  if (write(terminal, prompt.data(), prompt.size()) >= 0) {
    NoEcho quiet(terminal);
    secret = ReadLine(terminal);
  }
  [[maybe_unused]] ssize_t written = write(terminal, "\n", 1);
  close(terminal);
  return secret;
}

cli::Console OpenConsole(const Environment& environment) {
  std::size_t width = TerminalWidth(environment);
  bool plain = environment.Find("NO_COLOR") || environment.Find("TERM").value_or("dumb") == "dumb";
  return {.out = std::cout,
          .err = std::cerr,
          .in = std::cin,
          .width = width,
          .colour = width > 0 && !plain,
          .interactive = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0,
          .read_secret = ReadSecret};
}

}  // namespace yard::app

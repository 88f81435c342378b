// The terminal while it belongs to somebody else: raw mode, its size, its changes of size.
#pragma once

#include <termios.h>

#include <cstdint>

#include "base/fd.h"

namespace yard::cli {

// Raw for as long as it lives, if `fd` is a terminal. Not copyable; one at a time.
class RawMode {
 public:
  explicit RawMode(int fd);
  RawMode(const RawMode&) = delete;
  RawMode& operator=(const RawMode&) = delete;
  ~RawMode();

 private:
  int fd_;
  bool changed_ = false;
  termios before_{};
};

struct WindowSize {
  std::uint16_t rows = 24;
  std::uint16_t columns = 80;
};
// Of the terminal `fd` is; the usual 24 by 80 if it is none.
WindowSize SizeOf(int fd);

// Becomes readable when the terminal's size changes. One at a time.
class ResizeSignal {
 public:
  ResizeSignal();
  ResizeSignal(const ResizeSignal&) = delete;
  ResizeSignal& operator=(const ResizeSignal&) = delete;
  ~ResizeSignal();

  int fd() const { return read_.get(); }
  void Drain();

 private:
  UniqueFd read_;
  UniqueFd write_;
};

bool IsTerminal(int fd);
// From now on writing to somebody who is gone is an error and not the end of the program.
void IgnoreBrokenPipes();
// Writes all of it; false if the other side is gone.
bool WriteAll(int fd, const char* bytes, std::size_t size);

}  // namespace yard::cli

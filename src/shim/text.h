// Text, numbers and the clock for a program without a C++ library. One thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace yard::shim {

// A text of bounded length; what does not fit is cut off.
class Line {
 public:
  Line& operator<<(const char* text);
  Line& operator<<(std::int64_t number);
  Line& Add(const char* text, std::size_t length);
  // As one line: control characters become spaces.
  Line& AddPrintable(const char* text);
  // A newline, for which the end of a full line makes room.
  Line& AddNewline();

  const char* text() const { return text_; }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kMax = 4096;
  std::size_t size_ = 0;
  char text_[kMax] = {};
};

// -1 if the text is not a whole decimal number.
std::int64_t ParseNumber(const char* text);

// The rest of `text` behind "<key>="; null if it starts otherwise.
const char* ValueOf(const char* text, const char* key);

// "Terminated" for 15; never null.
const char* SignalName(int signal);

std::int64_t NowMicros();        // since 1970
std::int64_t MonotonicMillis();  // since some moment

// Whole contents of small files. Write: false with errno set.
bool WriteFile(const char* path, const char* text, std::size_t length);
bool WriteText(const char* path, const char* text);
// Bytes read, ended by a NUL byte; -1 with errno set.
std::int64_t ReadFile(const char* path, char* into, std::size_t size);

}  // namespace yard::shim

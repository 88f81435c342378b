#include "shim/text.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

namespace yard::shim {

Line& Line::Add(const char* text, std::size_t length) {
  const std::size_t room = kMax - 1 - size_;
  const std::size_t taken = length < room ? length : room;
  memcpy(text_ + size_, text, taken);
  size_ += taken;
  text_[size_] = 0;
  return *this;
}

Line& Line::operator<<(const char* text) {
  return Add(text, strlen(text));
}

Line& Line::operator<<(std::int64_t number) {
  char digits[24];
  char* at = digits + sizeof(digits);
  const bool negative = number < 0;
  auto rest =
      negative ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  do {
    *--at = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  if (negative) *--at = '-';
  return Add(at, static_cast<std::size_t>(digits + sizeof(digits) - at));
}

Line& Line::AddPrintable(const char* text) {
  for (; *text != 0; ++text) {
    const char shown = static_cast<unsigned char>(*text) < ' ' ? ' ' : *text;
    Add(&shown, 1);
  }
  return *this;
}

Line& Line::AddNewline() {
  if (size_ == kMax - 1) --size_;
  return Add("\n", 1);
}

std::int64_t ParseNumber(const char* text) {
  if (*text == 0) return -1;
  std::int64_t number = 0;
  for (; *text != 0; ++text) {
    if (*text < '0' || *text > '9' || number > INT64_MAX / 10 - 1) return -1;
    number = number * 10 + (*text - '0');
  }
  return number;
}

const char* ValueOf(const char* text, const char* key) {
  const std::size_t length = strlen(key);
  if (strncmp(text, key, length) != 0 || text[length] != '=') return nullptr;
  return text + length + 1;
}

const char* SignalName(int signal) {
  const char* name = sigdescr_np(signal);
  return name == nullptr ? "unknown signal" : name;
}

std::int64_t NowMicros() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000 + now.tv_nsec / 1000;
}

std::int64_t MonotonicMillis() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

bool WriteFile(const char* path, const char* text, std::size_t length) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool whole = write(fd, text, length) == static_cast<ssize_t>(length);
  return close(fd) == 0 && whole;
}

bool WriteText(const char* path, const char* text) {
  return WriteFile(path, text, strlen(text));
}

std::int64_t ReadFile(const char* path, char* into, std::size_t size) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  const ssize_t got = read(fd, into, size - 1);
  close(fd);
  if (got >= 0) into[got] = 0;
  return got;
}

}  // namespace yard::shim

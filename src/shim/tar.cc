#include "shim/tar.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

namespace yard::shim::tar {
namespace {

constexpr char kMagic[8] = {'u', 's', 't', 'a', 'r', '\0', '0', '0'};

// As if the field of the sum held spaces.
std::uint64_t SumOf(const Header& header) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&header);
  const std::size_t first = offsetof(Header, checksum);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const bool is_sum = i >= first && i < first + sizeof(header.checksum);
    sum += is_sum ? static_cast<unsigned char>(' ') : bytes[i];
  }
  return sum;
}

std::size_t DigitsOf(std::size_t number) {
  std::size_t digits = 1;
  for (; number > 9; number /= 10) ++digits;
  return digits;
}

}  // namespace

bool PutNumber(char* field, std::size_t size, std::uint64_t value) {
  const std::size_t digits = size - 1;
  const bool fits = digits * 3 >= 64 || value >> (digits * 3) == 0;
  std::uint64_t rest = fits ? value : 0;
  for (std::size_t i = digits; i-- > 0; rest >>= 3) field[i] = static_cast<char>('0' + (rest & 7));
  field[digits] = '\0';
  return fits;
}

std::uint64_t ReadNumber(const char* field, std::size_t size) {
  std::uint64_t value = 0;
  if ((static_cast<unsigned char>(field[0]) & 0x80) != 0) {
    for (std::size_t i = 1; i < size; ++i)
      value = value << 8 | static_cast<unsigned char>(field[i]);
    return value;
  }
  for (std::size_t i = 0; i < size && field[i] != '\0'; ++i)
    if (field[i] >= '0' && field[i] <= '7')
      value = value << 3 | static_cast<std::uint64_t>(field[i] - '0');
  return value;
}

void Seal(Header* header) {
  memcpy(header->magic, kMagic, sizeof(kMagic));
  PutNumber(header->checksum, sizeof(header->checksum) - 1, SumOf(*header));
  header->checksum[sizeof(header->checksum) - 1] = ' ';
}

bool IsSealed(const Header& header) {
  return ReadNumber(header.checksum, sizeof(header.checksum)) == SumOf(header);
}

bool IsEnd(const Header& header) {
  static const Header nothing = {};
  return memcmp(&header, &nothing, kBlock) == 0;
}

std::size_t Padding(std::uint64_t size) {
  return (kBlock - size % kBlock) % kBlock;
}

std::size_t PutRecord(char* into, const char* key, const char* value) {
  const std::size_t rest = strlen(key) + strlen(value) + 3;  // space, equals sign, newline
  std::size_t length = rest + DigitsOf(rest);
  if (DigitsOf(length) + rest > length) ++length;
  std::size_t at = DigitsOf(length);
  for (std::size_t digit = at, number = length; digit-- > 0; number /= 10)
    into[digit] = static_cast<char>('0' + number % 10);
  into[at++] = ' ';
  memcpy(into + at, key, strlen(key));
  at += strlen(key);
  into[at++] = '=';
  memcpy(into + at, value, strlen(value));
  into[length - 1] = '\n';
  return length;
}

bool NextRecord(char** at, char* end, Record* record) {
  std::size_t length = 0;
  char* word = *at;
  for (; word < end && *word >= '0' && *word <= '9' && length < (1 << 24); ++word)
    length = length * 10 + static_cast<std::size_t>(*word - '0');
  if (word == *at || word >= end || *word != ' ') return false;
  if (length > static_cast<std::size_t>(end - *at)) return false;
  char* last = *at + length - 1;
  if (last <= word || *last != '\n') return false;
  *last = '\0';
  auto* equals = static_cast<char*>(memchr(word, '=', static_cast<std::size_t>(last - word)));
  if (equals == nullptr) return false;
  *record = {word + 1, static_cast<std::size_t>(equals - word - 1), equals + 1};
  *at = last + 1;
  return true;
}

bool WriteAll(int fd, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t done = write(fd, at, size);
    if (done < 0 && errno != EINTR) return false;
    if (done <= 0) continue;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

std::int64_t ReadAll(int fd, void* bytes, std::size_t size) {
  std::size_t got = 0;
  while (got < size) {
    const ssize_t done = read(fd, static_cast<char*>(bytes) + got, size - got);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return -1;
    if (done == 0) break;
    got += static_cast<std::size_t>(done);
  }
  return static_cast<std::int64_t>(got);
}

}  // namespace yard::shim::tar

// The blocks of a tar stream, in the form that POSIX has given it: ustar with extended records for
// what is too long or too large for a header. Pure, but for the two doors to descriptors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace yard::shim::tar {

inline constexpr std::size_t kBlock = 512;

enum class Type : char {
  kFile = '0',
  kHardLink = '1',
  kLink = '2',
  kFolder = '5',
  kPipe = '6',
  kExtended = 'x',
  kExtendedForAll = 'g',
  kLongName = 'L',  // GNU tar's own
  kLongLink = 'K',
};

struct Header {
  char name[100];
  char mode[8], uid[8], gid[8];
  char size[12], mtime[12];
  char checksum[8];
  char type;
  char link[100];
  char magic[8];
  char user[32], group[32];
  char major[8], minor[8];
  char prefix[155];
  char padding[12];
};
static_assert(sizeof(Header) == kBlock);

// Octal digits; false: it is too large, and zero was written.
bool PutNumber(char* field, std::size_t size, std::uint64_t value);
// Octal digits, or GNU tar's binary form for what is too large for them.
std::uint64_t ReadNumber(const char* field, std::size_t size);

void Seal(Header* header);                // magic and checksum
bool IsSealed(const Header& header);      // the checksum is right
bool IsEnd(const Header& header);         // a block of zeros
std::size_t Padding(std::uint64_t size);  // from the end of so many bytes to the next block

// "LENGTH KEY=VALUE\n" at `into`, which has room: the size. LENGTH counts itself.
std::size_t PutRecord(char* into, const char* key, const char* value);
// Takes the next record off [*at, end). False: there is none, or it is damaged. The record's
// newline becomes a NUL byte.
struct Record {
  const char* key;
  std::size_t key_size;
  const char* value;
};
bool NextRecord(char** at, char* end, Record* record);

// All of it, or false with errno set.
bool WriteAll(int fd, const void* bytes, std::size_t size);
// So many bytes; fewer only at the end of the stream. -1 with errno set.
std::int64_t ReadAll(int fd, void* bytes, std::size_t size);

}  // namespace yard::shim::tar

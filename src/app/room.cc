#include "app/room.h"

#include <sys/statvfs.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace yard::app {
namespace {

// A commit adds some pages to the journal, and the journal is written back now and then.
constexpr std::uint64_t kLeastBytes = 1 << 20;

}  // namespace

Status RequireRoom(const std::string& folder) {
  struct statvfs disk{};
  if (::statvfs(folder.c_str(), &disk) != 0) {
    return Fail(Code::kUnavailable,
                fmt::format("the data directory cannot be seen: {}", std::strerror(errno)));
  }
  const std::uint64_t left = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (left >= kLeastBytes) return {};
  return Fail(Code::kUnavailable,
              fmt::format("the disk of the data directory is full: {} KiB are left", left >> 10),
              "make room; until then changes are refused");
}

}  // namespace yard::app

#include "store/sqlite/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::store {
namespace {

Status MakeDirectory(const std::string& directory) {
  std::error_code error;
  bool made = std::filesystem::create_directories(directory, error);
  if (error) {
    return Fail(Code::kUnavailable,
                fmt::format("cannot make the data directory {}: {}", directory, error.message()));
  }
  // What lies in it is for the server's own eyes.
  if (made) ::chmod(directory.c_str(), 0700);
  return {};
}

std::string HolderOf(int file) {
  std::array<char, 32> text{};
  ssize_t size = ::pread(file, text.data(), text.size(), 0);
  if (size <= 0) return "unknown";
  return std::string(Trim({text.data(), static_cast<std::size_t>(size)}));
}

}  // namespace

Result<DirectoryLock> DirectoryLock::Acquire(const std::string& directory) {
  YARD_TRY(MakeDirectory(directory));
  std::string path = directory + "/gpuyard.lock";
  DirectoryLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.file_ < 0) {
    return Fail(Code::kUnavailable, fmt::format("cannot open {}: {}", path, std::strerror(errno)),
                "the data directory must be writable by the server");
  }
  if (::flock(lock.file_, LOCK_EX | LOCK_NB) != 0) {
    return Fail(Code::kConflict,
                fmt::format("the data directory {} is in use by process {}", directory,
                            HolderOf(lock.file_)),
                "stop that server first, or choose another data directory");
  }
  std::string holder = fmt::format("{}\n", ::getpid());
  // Only a hint for people: on a full disk the lock holds without it.
  if (::ftruncate(lock.file_, 0) == 0) {
    [[maybe_unused]] ssize_t written = ::pwrite(lock.file_, holder.data(), holder.size(), 0);
  }
  return lock;
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)) {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

DirectoryLock::~DirectoryLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace yard::store

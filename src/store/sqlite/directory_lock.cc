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

// Closing a folder that is in use for something else would be a bad surprise.
Status CheckContents(const std::string& directory) {
  namespace fs = std::filesystem;
  struct stat about{};
  std::error_code error;
  const bool is_open =
      ::stat(directory.c_str(), &about) == 0 && (about.st_mode & (S_IRWXG | S_IRWXO)) != 0;
  if (!is_open || fs::is_empty(directory, error) ||
      fs::exists(directory + "/gpuyard.lock", error) ||
      fs::exists(directory + "/gpuyard.db", error))
    return {};
  return Fail(Code::kUnavailable,
              fmt::format("{} holds other things and is open to other accounts", directory),
              fmt::format("choose an empty data directory, or run `chmod 700 {}` if it is only for "
                          "this server",
                          directory));
}

Status MakeDirectory(const std::string& directory) {
  std::error_code error;
  bool made = std::filesystem::create_directories(directory, error);
  if (error) {
    return Fail(Code::kUnavailable,
                fmt::format("cannot make the data directory {}: {}", directory, error.message()));
  }
  return made ? Status() : CheckContents(directory);
}

// What lies in it is for the server's own eyes.
Status MakePrivate(const std::string& directory) {
  struct stat about{};
  constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
  if (::stat(directory.c_str(), &about) != 0 || (about.st_mode & kOthers) == 0) return {};
  if (about.st_uid == ::geteuid() && ::chmod(directory.c_str(), 0700) == 0) return {};
  return Fail(
      Code::kUnavailable,
      fmt::format("others can enter the data directory {}, which holds keys and the database",
                  directory),
      fmt::format("run `chown {} {} && chmod 700 {}`", ::geteuid(), directory, directory));
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
  YARD_TRY(MakePrivate(directory));
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

// Exclusive ownership of a data directory, by flock on the file `gpuyard.lock` in it.
//
// The kernel frees the lock when the process ends, however it ends, so no stale lock is possible.
// The holder's process id is written into the file, for the message a second process gets.
#pragma once

#include <string>

#include "base/result.h"

namespace yard::store {

class DirectoryLock {
 public:
  // Makes the directory if needed, and closes it to other accounts (mode 0700). kConflict names
  // the holder.
  static Result<DirectoryLock> Acquire(const std::string& directory);
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&& other) noexcept;
  ~DirectoryLock();

 private:
  explicit DirectoryLock(int file) : file_(file) {}

  int file_ = -1;
};

}  // namespace yard::store

// The limit of host memory that holds for a process, whoever made its control group.
//
// Read from the kernel each time: nothing is remembered, so a limit that an earlier life of the
// server raised is found again. Plain functions on files; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity.h"

namespace yard::engine {

class MemoryLimit {
 public:
  // Of the innermost group around the process that has one; nothing: none has, or none is seen.
  // `root` is the root of the file system, another one for tests.
  static std::optional<MemoryLimit> Of(int pid, const std::string& root = "");

  Mebibytes size() const { return size_; }
  // False if the kernel refuses, or if we may not.
  bool Set(Mebibytes size);

 private:
  MemoryLimit(std::string group, bool is_v1, Mebibytes size);

  std::string group_;
  bool is_v1_;
  Mebibytes size_;
};

}  // namespace yard::engine

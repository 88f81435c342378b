// What one CUDA context takes of each GPU of this node, learned from NVML and kept on disk.
//
// The figure depends on the GPU and its driver, so it is kept under both. It is the least that was
// ever seen for a process with one context and nothing else: a process that holds more than it says
// cannot raise it for others, and none can hold less.
// Threads: one at a time; the keeper guards it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace yard::slice {

class ContextSizes {
 public:
  // An empty path: nothing is kept. A file that cannot be read is as good as none.
  ContextSizes(std::string path, std::string driver);

  // Zero: not known yet.
  std::uint64_t SizeOf(const std::string& gpu) const;
  // True if the figure is another one now. What no context can take is not believed.
  bool Learn(const std::string& gpu, std::uint64_t bytes);

 private:
  void Keep() const;

  std::string path_;
  std::string driver_;
  std::map<std::string, std::uint64_t> sizes_;
};

}  // namespace yard::slice

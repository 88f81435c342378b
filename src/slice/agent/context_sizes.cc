#include "slice/agent/context_sizes.h"

#include <cstdio>
#include <fstream>
#include <utility>

namespace yard::slice {
namespace {

constexpr std::uint64_t kLeast = 1ULL << 20;
constexpr std::uint64_t kMost = 4ULL << 30;

}  // namespace

ContextSizes::ContextSizes(std::string path, std::string driver)
    : path_(std::move(path)), driver_(std::move(driver)) {
  std::ifstream lines(path_);
  std::string gpu, driver_of;
  for (std::uint64_t bytes = 0; lines >> gpu >> driver_of >> bytes;)
    if (driver_of == driver_ && bytes >= kLeast && bytes <= kMost) sizes_[gpu] = bytes;
}

std::uint64_t ContextSizes::SizeOf(const std::string& gpu) const {
  const auto found = sizes_.find(gpu);
  return found == sizes_.end() ? 0 : found->second;
}

bool ContextSizes::Learn(const std::string& gpu, std::uint64_t bytes) {
  if (bytes < kLeast || bytes > kMost) return false;
  std::uint64_t& known = sizes_[gpu];
  if (known != 0 && known <= bytes) return false;
  known = bytes;
  Keep();
  return true;
}

// Beside and renamed: a reader finds the old or the new. Figures of another driver are dropped.
void ContextSizes::Keep() const {
  if (path_.empty()) return;
  const std::string fresh = path_ + ".new";
  {
    std::ofstream lines(fresh);
    for (const auto& [gpu, bytes] : sizes_) lines << gpu << ' ' << driver_ << ' ' << bytes << '\n';
    if (!lines.flush()) return;
  }
  std::rename(fresh.c_str(), path_.c_str());
}

}  // namespace yard::slice

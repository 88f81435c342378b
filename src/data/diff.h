// What changed from one version to another. Pure.
#pragma once

#include <string>
#include <vector>

#include "data/manifest.h"

namespace yard::data {

struct Difference {
  enum class What { kAdded, kRemoved, kChanged };
  What what = What::kAdded;
  std::string path;
  Kind kind = Kind::kFile;
  std::uint64_t old_size = 0;
  std::uint64_t new_size = 0;
};

// Content, kind, mode and link target count; times do not.
std::vector<Difference> Compare(const std::vector<Entry>& old_entries,
                                const std::vector<Entry>& new_entries);

}  // namespace yard::data

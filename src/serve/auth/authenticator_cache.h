// Remembers tokens whose signature was found good, so that each is checked once.
//
// Two generations: when the young one is full it becomes the old one, and what was in the old one
// is forgotten. Bounded by twice kGeneration. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "control/auth/tokens.h"

namespace yard::serve {

class TokenCache {
 public:
  using Known = std::shared_ptr<const control::Claims>;

  // Null: not known.
  Known Find(std::string_view token);
  void Put(std::string_view token, Known claims);
  std::size_t size() const;

  static constexpr std::size_t kGeneration = 4096;

 private:
  // Looks up a part of a header without copying it.
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): as in std
    std::size_t operator()(std::string_view token) const {
      return std::hash<std::string_view>{}(token);
    }
  };
  using Generation = std::unordered_map<std::string, Known, Hash, std::equal_to<>>;

  mutable std::shared_mutex mutex_;
  Generation young_;
  Generation old_;
};

}  // namespace yard::serve

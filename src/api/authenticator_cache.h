// Remembers tokens whose signature was found good, so that each is checked once.
//
// Two generations: when the young one is full it becomes the old one, and what was in the old one
// is forgotten. Bounded by twice kGeneration. Thread-safe.
#pragma once

#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "control/tokens.h"

namespace yard::api {

class TokenCache {
 public:
  std::optional<control::Claims> Find(const std::string& token);
  void Put(const std::string& token, const control::Claims& claims);
  std::size_t size() const;

  static constexpr std::size_t kGeneration = 4096;

 private:
  using Generation = std::unordered_map<std::string, control::Claims>;

  mutable std::shared_mutex mutex_;
  Generation young_;
  Generation old_;
};

}  // namespace yard::api

#include "serve/auth/authenticator_cache.h"

#include <mutex>
#include <utility>

namespace yard::serve {

TokenCache::Known TokenCache::Find(std::string_view token) {
  Known known;
  {
    std::shared_lock lock(mutex_);
    auto found = young_.find(token);
    if (found != young_.end()) return found->second;
    found = old_.find(token);
    if (found == old_.end()) return nullptr;
    known = found->second;
  }
  // Still in use: carry it over into the young generation.
  Put(token, known);
  return known;
}

void TokenCache::Put(std::string_view token, Known claims) {
  std::unique_lock lock(mutex_);
  if (young_.size() >= kGeneration) {
    old_ = std::move(young_);
    young_.clear();
  }
  young_.insert_or_assign(std::string(token), std::move(claims));
}

std::size_t TokenCache::size() const {
  std::shared_lock lock(mutex_);
  return young_.size() + old_.size();
}

}  // namespace yard::serve

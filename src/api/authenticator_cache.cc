#include "api/authenticator_cache.h"

#include <mutex>

namespace yard::api {

std::optional<control::Claims> TokenCache::Find(const std::string& token) {
  {
    std::shared_lock lock(mutex_);
    auto found = young_.find(token);
    if (found != young_.end()) return found->second;
    found = old_.find(token);
    if (found == old_.end()) return std::nullopt;
  }
  // Still in use: carry it over into the young generation.
  std::unique_lock lock(mutex_);
  auto found = old_.find(token);
  if (found == old_.end()) return std::nullopt;
  control::Claims claims = found->second;
  lock.unlock();
  Put(token, claims);
  return claims;
}

void TokenCache::Put(const std::string& token, const control::Claims& claims) {
  std::unique_lock lock(mutex_);
  if (young_.size() >= kGeneration) {
    old_ = std::move(young_);
    young_.clear();
  }
  young_.insert_or_assign(token, claims);
}

std::size_t TokenCache::size() const {
  std::shared_lock lock(mutex_);
  return young_.size() + old_.size();
}

}  // namespace yard::api

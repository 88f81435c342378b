// Secrets that work may use: credentials at its project or above, by name or id, if its owner may
// use credentials there.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "control/auth/secrets.h"
#include "control/state/state.h"
#include "wire/asset.h"

namespace yard::control {

using wire::SecretValues;

class SecretSource {
 public:
  SecretSource(const State& state, const Vault* vault, const Workload& workload);

  Result<SecretValues> Find(std::string_view name_or_id) const;
  Result<std::string> Value(std::string_view name_or_id, std::string_view key) const;
  // The credential of the registry an image comes from; nothing stored: no values.
  Result<SecretValues> ForImage(std::string_view image) const;
  // A named one, if it is for the registry that the image comes from.
  Result<SecretValues> ForImage(std::string_view image, std::string_view name_or_id) const;

 private:
  bool Reaches(const Asset& asset) const;
  Result<Ptr<Asset>> FindAsset(std::string_view name_or_id) const;
  Result<SecretValues> Open(const Asset& asset) const;

  const State& state_;
  const Vault* vault_;
  const ScopePath where_;
  const bool may_use_;
};

}  // namespace yard::control

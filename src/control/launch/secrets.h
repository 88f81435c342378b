// Secrets that work may use: credentials at its project or above, by name or id.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "control/auth/secrets.h"
#include "control/state/state.h"

namespace yard::control {

// Everything a credential holds, by key: "username", "password", "AccessKeyId", "SecretKey", or
// the keys it was given.
using SecretValues = std::map<std::string, std::string, std::less<>>;

class SecretSource {
 public:
  SecretSource(const State& state, const Vault* vault, const ScopePath& where)
      : state_(state), vault_(vault), where_(where) {}

  Result<SecretValues> Find(std::string_view name_or_id) const;
  Result<std::string> Value(std::string_view name_or_id, std::string_view key) const;
  // The credential of the registry an image comes from; nothing stored: no values.
  Result<SecretValues> ForRegistry(std::string_view host) const;

 private:
  bool Reaches(const Asset& asset) const;
  Result<SecretValues> Open(const Asset& asset) const;

  const State& state_;
  const Vault* vault_;
  ScopePath where_;
};

}  // namespace yard::control

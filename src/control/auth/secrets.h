// Secrets at rest: sealed with a key that is not part of the state.
//
// What Seal returns is base64 text of nonce and XSalsa20-Poly1305 ciphertext; without the key it
// says nothing but its length, and any change to it is noticed by Open.
// A Vault is immutable; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"

namespace yard::control {

using VaultKey = std::array<std::uint8_t, 32>;

class Vault {
 public:
  explicit Vault(const VaultKey& key) : key_(key) {}
  ~Vault();
  Vault(const Vault&) = delete;
  Vault& operator=(const Vault&) = delete;

  std::string Seal(std::string_view secret, Random& random) const;
  // kInternal if the text was damaged or sealed with another key.
  Result<std::string> Open(std::string_view sealed) const;

 private:
  VaultKey key_;
};

// The key in the file at `path`; makes the file, readable by its owner alone, if it is not there.
// Fails if the file is there but is not a key, or others may read it.
// `sealed`, if there is any, is something that the key has sealed: a key that is gone or is another
// one is an error then, since a new one would open nothing.
Result<VaultKey> LoadOrMakeKey(const std::string& path, Random& random,
                               const std::optional<std::string>& sealed = std::nullopt);

}  // namespace yard::control

// Passwords and secrets: made, hashed and compared.
//
// People's passwords are hashed with argon2id, which takes tens of milliseconds and 64 MiB on
// purpose: never on an I/O thread or the reactor. Secrets made here have 256 random bits, so a
// fast hash protects them as well. Comparisons take the same time whatever differs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"
#include "model/ids.h"

namespace yard::control {

inline constexpr std::size_t kMinPassword = 8;
inline constexpr std::size_t kMaxPassword = 256;

enum class HashEffort { kInteractive, kLeast };  // kLeast is for tests

// Slow. kUnavailable if the machine has not the memory for it.
Result<std::string> HashPassword(std::string_view password,
                                 HashEffort effort = HashEffort::kInteractive);
// Slow. False too for an empty hash: who has no password cannot sign in with one.
bool PasswordMatches(const std::string& hash, std::string_view password);
// A valid hash that no password matches, so that an unknown name takes as long as a known one.
const std::string& NobodysHash();
// kInvalid unless the length is right.
Status CheckNewPassword(std::string_view password);

// Sixteen letters and digits that cannot be misread.
std::string MakePassword(Random& random);

std::string MakeSecret(Random& random);
std::string HashSecret(std::string_view secret);
bool SecretMatches(const std::string& hash, std::string_view secret);

// "gyp_", 32 hex digits of the id, 64 of the secret: found by its id, without a search.
inline constexpr std::string_view kPersonalTokenPrefix = "gyp_";
std::string JoinPersonalToken(TokenId id, std::string_view secret);
struct PersonalTokenParts {
  TokenId id;
  std::string secret;
};
std::optional<PersonalTokenParts> SplitPersonalToken(std::string_view text);

}  // namespace yard::control

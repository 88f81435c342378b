// Signed tokens: compact JWTs with an Ed25519 signature.
//
// Pure: bytes and times in, text out. Only the one header written here is accepted, so there is
// no choice of algorithm to attack. The payload is ASCII, and its base64url text is the same in
// the standard alphabet, since one widely used client decodes it with that.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "model/access.h"

namespace yard::control {

inline constexpr Micros kAccessLifetime = Hours(1);
inline constexpr Micros kRefreshLifetime = Hours(24);
// Of everything that one sign-in gives, however often it is renewed.
inline constexpr Micros kSessionLifetime = Days(7);

// The server's signing key. Immutable; thread-safe.
class TokenKey {
 public:
  using Seed = std::array<std::uint8_t, 32>;
  explicit TokenKey(const Seed& seed);

  std::string Sign(std::string_view text) const;
  bool Verify(std::string_view text, std::string_view signature) const;

 private:
  std::array<std::uint8_t, 32> public_{};
  std::array<std::uint8_t, 64> secret_{};
};

// Reads the seed from a file that only its owner may read; makes the file if there is none.
Result<TokenKey> LoadTokenKey(const std::string& path, Random& random);

enum class TokenKind { kAccess, kRefresh };

struct Claims {
  TokenKind kind = TokenKind::kAccess;
  SubjectType type = SubjectType::kUser;  // a user or an application
  Uuid subject;                           // the user's or application's id
  std::string name;                       // e-mail or client id, for people and clients to read
  std::int64_t epoch = 0;                 // of the subject when it was issued
  std::optional<SessionId> session;       // the sign-in; absent: it could not be recorded
  std::int64_t generation = 0;            // of the session, for a refresh token
  Time issued_at;
  Time expires_at;
};

std::string IssueToken(const TokenKey& key, const Claims& claims);

// kUnauthorized if the text is no token of ours. Does not look at the clock: see CheckExpiry.
Result<Claims> VerifyToken(const TokenKey& key, std::string_view token);
// kUnauthorized once the token has expired.
Status CheckExpiry(const Claims& claims, Time now);

// Base64url without padding. Decoding is strict: one text for one value.
std::string EncodeBase64Url(std::string_view bytes);
Result<std::string> DecodeBase64Url(std::string_view text);

}  // namespace yard::control

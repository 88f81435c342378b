// ID tokens of OpenID Connect: signature by the provider's keys, and the claims that must hold.
//
// Pure. RS256 and ES256 only; the key says which of the two it is for, the token's header only
// chooses among the keys. Every refusal is kUnauthorized with what was wrong. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

struct evp_pkey_st;

namespace yard::oidc {

// The provider's public keys, as its JWKS document has them. Keys of other kinds are left out.
class KeySet {
 public:
  static Result<KeySet> Parse(std::string_view jwks);

  // `id` is the header's kid; empty: the only key there is.
  bool Has(std::string_view id) const { return Find(id) != nullptr; }
  Status Verify(std::string_view id, std::string_view algorithm, std::string_view text,
                std::string_view signature) const;

 private:
  struct Key {
    std::string id;
    std::string algorithm;  // "RS256" or "ES256"
    std::shared_ptr<evp_pkey_st> key;
  };
  const Key* Find(std::string_view id) const;

  std::vector<Key> keys_;
};

// What the claims of a token must say.
struct Expectation {
  std::string issuer;
  std::string client_id;
  std::string nonce;
  Time now;
  std::string email_claim = "email";
  std::string groups_claim = "groups";
};

struct Person {
  std::string subject;
  std::string email;  // lower case
  bool email_verified = false;
  std::vector<std::string> groups;
};

// The kid of the token's header; empty if it names none.
Result<std::string> KeyIdOf(std::string_view token);
Result<Person> ReadIdToken(std::string_view token, const KeySet& keys, const Expectation& expected);

// Base64url without padding.
std::string EncodeBase64Url(std::string_view bytes);
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace yard::oidc

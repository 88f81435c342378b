// An identity provider's key, for tests: made when it is asked for, signs tokens, shows its JWK.
// One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace yard::oidc::testing {

class Signer {
 public:
  enum class Kind { kRsa, kEc };
  Signer(Kind kind, std::string id);

  // {"keys":[…]} with this key alone.
  std::string Jwks() const;
  // A token of those claims, with the header that fits the key, or another algorithm named in it.
  std::string Sign(std::string_view claims, std::string_view algorithm = "") const;

 private:
  std::string Jwk() const;

  const Kind kind_;
  const std::string id_;
  std::shared_ptr<evp_pkey_st> key_;
};

}  // namespace yard::oidc::testing

#include "oidc/testing/signer.h"

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "oidc/id_token.h"

namespace yard::oidc::testing {
namespace {

constexpr int kCoordinate = 32;

std::string NumberOf(EVP_PKEY* key, const char* name, int size) {
  BIGNUM* number = nullptr;
  YARD_CHECK(EVP_PKEY_get_bn_param(key, name, &number) == 1);
  std::string bytes(static_cast<std::size_t>(size > 0 ? size : BN_num_bytes(number)), '\0');
  BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()),
               static_cast<int>(bytes.size()));
  BN_free(number);
  return EncodeBase64Url(bytes);
}

// The two numbers of a DER signature, side by side.
std::string Plain(std::string_view der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  ECDSA_SIG* pair = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
  YARD_CHECK(pair != nullptr);
  std::array<unsigned char, 2 * kCoordinate> bytes{};
  BN_bn2binpad(ECDSA_SIG_get0_r(pair), bytes.data(), kCoordinate);
  BN_bn2binpad(ECDSA_SIG_get0_s(pair), bytes.data() + kCoordinate, kCoordinate);
  ECDSA_SIG_free(pair);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Signer::Signer(Kind kind, std::string id) : kind_(kind), id_(std::move(id)) {
  EVP_PKEY* key = kind == Kind::kRsa ? EVP_RSA_gen(2048) : EVP_EC_gen("prime256v1");
  YARD_CHECK(key != nullptr);
  key_ = {key, EVP_PKEY_free};
}

std::string Signer::Jwk() const {
  if (kind_ == Kind::kRsa) {
    return fmt::format(R"({{"kty":"RSA","kid":"{}","use":"sig","n":"{}","e":"{}"}})", id_,
                       NumberOf(key_.get(), OSSL_PKEY_PARAM_RSA_N, 0),
                       NumberOf(key_.get(), OSSL_PKEY_PARAM_RSA_E, 0));
  }
  return fmt::format(R"({{"kty":"EC","crv":"P-256","kid":"{}","x":"{}","y":"{}"}})", id_,
                     NumberOf(key_.get(), OSSL_PKEY_PARAM_EC_PUB_X, kCoordinate),
                     NumberOf(key_.get(), OSSL_PKEY_PARAM_EC_PUB_Y, kCoordinate));
}

std::string Signer::Jwks() const {
  return fmt::format(R"({{"keys":[{}]}})", Jwk());
}

std::string Signer::Sign(std::string_view claims, std::string_view algorithm) const {
  if (algorithm.empty()) algorithm = kind_ == Kind::kRsa ? "RS256" : "ES256";
  std::string text = EncodeBase64Url(fmt::format(R"({{"alg":"{}","kid":"{}"}})", algorithm, id_)) +
                     "." + EncodeBase64Url(claims);
  EVP_MD_CTX* digest = EVP_MD_CTX_new();
  YARD_CHECK(EVP_DigestSignInit(digest, nullptr, EVP_sha256(), nullptr, key_.get()) == 1);
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  YARD_CHECK(EVP_DigestSign(digest, nullptr, &size, bytes, text.size()) == 1);
  std::string signature(size, '\0');
  auto* out = reinterpret_cast<unsigned char*>(signature.data());
  YARD_CHECK(EVP_DigestSign(digest, out, &size, bytes, text.size()) == 1);
  signature.resize(size);
  EVP_MD_CTX_free(digest);
  return text + "." + EncodeBase64Url(kind_ == Kind::kRsa ? signature : Plain(signature));
}

}  // namespace yard::oidc::testing

#include "oidc/id_token.h"

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/strings.h"

namespace yard::oidc {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t kMaxToken = 64 * 1024;
constexpr std::size_t kMaxGroups = 500;
constexpr std::size_t kMaxGroupName = 128;
constexpr std::size_t kMaxEmail = 254;
constexpr std::int64_t kSkewSeconds = 60;
constexpr std::size_t kCoordinate = 32;  // bytes of a number of P-256

template <class T, auto Free>
struct Freed {
  void operator()(T* object) const { Free(object); }
};
using Number = std::unique_ptr<BIGNUM, Freed<BIGNUM, BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM, OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX, EVP_PKEY_CTX_free>>;
using Digest = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX, EVP_MD_CTX_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG, ECDSA_SIG_free>>;
using PublicKey = std::shared_ptr<EVP_PKEY>;

std::unexpected<Error> Refused(std::string_view why) {
  return Fail(Code::kUnauthorized, fmt::format("the identity provider's token is refused: {}", why),
              "sign in again; if it stays so, ask an administrator");
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Number NumberOf(std::string_view bytes) {
  return Number(BN_bin2bn(Bytes(bytes), static_cast<int>(bytes.size()), nullptr));
}

std::string_view Text(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

std::optional<std::int64_t> Whole(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_int64()) return value->get_int64();
  if (value->is_double()) return static_cast<std::int64_t>(value->get_double());
  return std::nullopt;
}

PublicKey MakeKey(const char* type, OSSL_PARAM_BLD* builder) {
  Params params(OSSL_PARAM_BLD_to_param(builder));
  KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  bool made = params && context && EVP_PKEY_fromdata_init(context.get()) == 1 &&
              EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) == 1;
  return made ? PublicKey(key, EVP_PKEY_free) : nullptr;
}

PublicKey RsaKey(const json::object& jwk) {
  constexpr int kLeastBits = 2048;
  std::optional<std::string> modulus = DecodeBase64Url(Text(jwk, "n"));
  std::optional<std::string> exponent = DecodeBase64Url(Text(jwk, "e"));
  if (!modulus || !exponent || modulus->empty() || exponent->empty()) return nullptr;
  Number n = NumberOf(*modulus);
  Number e = NumberOf(*exponent);
  Builder builder(OSSL_PARAM_BLD_new());
  if (!n || !e || !builder || BN_num_bits(n.get()) < kLeastBits) return nullptr;
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
  return MakeKey("RSA", builder.get());
}

PublicKey EcKey(const json::object& jwk) {
  std::optional<std::string> x = DecodeBase64Url(Text(jwk, "x"));
  std::optional<std::string> y = DecodeBase64Url(Text(jwk, "y"));
  bool whole = x && y && x->size() == kCoordinate && y->size() == kCoordinate;
  if (!whole || Text(jwk, "crv") != "P-256") return nullptr;
  std::string point = "\x04" + *x + *y;
  Builder builder(OSSL_PARAM_BLD_new());
  if (!builder) return nullptr;
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                   point.size());
  return MakeKey("EC", builder.get());
}

// A JWT has the two numbers side by side; OpenSSL wants them in DER.
std::string DerOf(std::string_view signature) {
  if (signature.size() != 2 * kCoordinate) return "";
  Signature pair(ECDSA_SIG_new());
  Number r = NumberOf(signature.substr(0, kCoordinate));
  Number s = NumberOf(signature.substr(kCoordinate));
  if (!pair || !r || !s || ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1) return "";
  // They belong to the pair now.
  [[maybe_unused]] BIGNUM* kept_r = r.release();
  [[maybe_unused]] BIGNUM* kept_s = s.release();
  unsigned char* der = nullptr;
  int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return "";
  std::string text(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

struct Parts {
  json::object header;
  json::object payload;
  std::string_view text;  // what is signed
  std::string signature;
};

Result<json::object> Object(std::string_view encoded) {
  std::optional<std::string> text = DecodeBase64Url(encoded);
  if (!text) return Refused("it is not base64url");
  Result<json::value> value = ParseJson(*text);
  if (!value || !value->is_object()) return Refused("it is not JSON");
  return std::move(value->get_object());
}

Result<Parts> Split(std::string_view token) {
  std::size_t first = token.find('.');
  std::size_t second = token.rfind('.');
  if (token.size() > kMaxToken || first == std::string_view::npos || first == second ||
      token.find('.', first + 1) != second) {
    return Refused("it has not three parts");
  }
  std::optional<std::string> signature = DecodeBase64Url(token.substr(second + 1));
  if (!signature) return Refused("its signature is not base64url");
  Parts parts{.text = token.substr(0, second), .signature = *std::move(signature)};
  YARD_ASSIGN(parts.header, Object(token.substr(0, first)));
  YARD_ASSIGN(parts.payload, Object(token.substr(first + 1, second - first - 1)));
  return parts;
}

bool IsFor(const json::object& claims, std::string_view client) {
  const json::value* audience = claims.if_contains("aud");
  if (audience == nullptr) return false;
  if (audience->is_string()) return std::string_view(audience->get_string()) == client;
  if (!audience->is_array()) return false;
  const json::array& all = audience->get_array();
  bool named = std::ranges::any_of(all, [&](const json::value& one) {
    return one.is_string() && std::string_view(one.get_string()) == client;
  });
  // Where several are named, one of them asked for the token.
  return named && (all.size() == 1 || Text(claims, "azp") == client);
}

Status CheckClaims(const json::object& claims, const Expectation& expected) {
  std::int64_t now = expected.now.micros / 1'000'000;
  std::optional<std::int64_t> expires = Whole(claims, "exp");
  std::optional<std::int64_t> issued = Whole(claims, "iat");
  if (Text(claims, "iss") != expected.issuer) return Refused("it is of another issuer");
  if (!IsFor(claims, expected.client_id)) return Refused("it is for another client");
  if (!expires || *expires <= now - kSkewSeconds) return Refused("it has expired");
  if (!issued || *issued > now + kSkewSeconds) return Refused("it is from the future");
  if (expected.nonce.empty() || Text(claims, "nonce") != expected.nonce) {
    return Refused("it belongs to another sign-in");
  }
  if (Text(claims, "sub").empty()) return Refused("it names nobody");
  return {};
}

bool IsEmail(std::string_view text) {
  std::size_t at = text.find('@');
  bool plain = std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f && c != ','; });
  return plain && text.size() <= kMaxEmail && at != std::string_view::npos && at > 0 &&
         at + 1 < text.size() && text.find('@', at + 1) == std::string_view::npos;
}

std::vector<std::string> GroupsOf(const json::object& claims, std::string_view name) {
  std::vector<std::string> groups;
  const json::value* list = claims.if_contains(name);
  if (list == nullptr || !list->is_array()) return groups;
  for (const json::value& item : list->get_array()) {
    if (!item.is_string() || groups.size() >= kMaxGroups) continue;
    std::string_view group(item.get_string());
    if (!Trim(group).empty() && group.size() <= kMaxGroupName) groups.emplace_back(group);
  }
  return groups;
}

}  // namespace

std::string EncodeBase64Url(std::string_view bytes) {
  std::string out;
  unsigned buffer = 0;
  int have = 0;
  for (char c : bytes) {
    buffer = buffer << 8 | static_cast<unsigned char>(c);
    for (have += 8; have >= 6;) out += kAlphabet[buffer >> (have -= 6) & 63];
  }
  if (have > 0) out += kAlphabet[buffer << (6 - have) & 63];
  return out;
}

std::optional<std::string> DecodeBase64Url(std::string_view text) {
  std::string out;
  unsigned buffer = 0;
  int have = 0;
  for (char c : text) {
    std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    buffer = buffer << 6 | static_cast<unsigned>(value);
    have += 6;
    if (have >= 8) out += static_cast<char>(buffer >> (have -= 8) & 0xff);
  }
  return out;
}

Result<KeySet> KeySet::Parse(std::string_view jwks) {
  Result<json::value> document = ParseJson(jwks);
  const json::value* list =
      document && document->is_object() ? document->get_object().if_contains("keys") : nullptr;
  if (list == nullptr || !list->is_array()) {
    return Fail(Code::kUnavailable, "the identity provider's keys cannot be read");
  }
  KeySet set;
  for (const json::value& item : list->get_array()) {
    if (!item.is_object()) continue;
    const json::object& jwk = item.get_object();
    std::string_view use = Text(jwk, "use");
    bool rsa = Text(jwk, "kty") == "RSA";
    if ((!use.empty() && use != "sig") || (!rsa && Text(jwk, "kty") != "EC")) continue;
    Key key{.id = std::string(Text(jwk, "kid")), .algorithm = rsa ? "RS256" : "ES256"};
    if (std::string_view alg = Text(jwk, "alg"); !alg.empty() && alg != key.algorithm) continue;
    key.key = rsa ? RsaKey(jwk) : EcKey(jwk);
    if (key.key) set.keys_.push_back(std::move(key));
  }
  return set;
}

const KeySet::Key* KeySet::Find(std::string_view id) const {
  if (id.empty()) return keys_.size() == 1 ? &keys_.front() : nullptr;
  auto found = std::ranges::find(keys_, id, &Key::id);
  return found == keys_.end() ? nullptr : &*found;
}

Status KeySet::Verify(std::string_view id, std::string_view algorithm, std::string_view text,
                      std::string_view signature) const {
  const Key* key = Find(id);
  if (key == nullptr) return Refused("its key is not known");
  if (key->algorithm != algorithm) return Refused("its key is for another algorithm");
  std::string plain = algorithm == "ES256" ? DerOf(signature) : std::string(signature);
  Digest digest(EVP_MD_CTX_new());
  bool good =
      digest &&
      EVP_DigestVerifyInit(digest.get(), nullptr, EVP_sha256(), nullptr, key->key.get()) == 1 &&
      EVP_DigestVerify(digest.get(), Bytes(plain), plain.size(), Bytes(text), text.size()) == 1;
  return good ? Status{} : Refused("its signature is wrong");
}

Result<std::string> KeyIdOf(std::string_view token) {
  YARD_ASSIGN(Parts parts, Split(token));
  return std::string(Text(parts.header, "kid"));
}

Result<Person> ReadIdToken(std::string_view token, const KeySet& keys,
                           const Expectation& expected) {
  YARD_ASSIGN(Parts parts, Split(token));
  YARD_TRY(keys.Verify(Text(parts.header, "kid"), Text(parts.header, "alg"), parts.text,
                       parts.signature));
  const json::object& claims = parts.payload;
  YARD_TRY(CheckClaims(claims, expected));
  std::string_view email = Text(claims, expected.email_claim);
  if (!IsEmail(email)) return Refused("it holds no e-mail address");
  const json::value* verified = claims.if_contains("email_verified");
  bool is_verified = verified != nullptr && verified->is_bool() && verified->get_bool();
  if (verified != nullptr && !is_verified) return Refused("its e-mail address is not verified");
  return Person{.subject = std::string(Text(claims, "sub")),
                .email = Lower(email),
                .email_verified = is_verified,
                .groups = GroupsOf(claims, expected.groups_claim)};
}

}  // namespace yard::oidc

#include "oidc/provider.h"

#include <openssl/sha.h>

#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/strings.h"

namespace yard::oidc {
namespace {

constexpr Micros kMetadataLifetime = Hours(1);
constexpr Micros kBetweenKeys = Seconds(30);

std::string Encode(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) out += c;
    if (!plain) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string FormOf(const std::vector<std::pair<std::string_view, std::string_view>>& fields) {
  std::string out;
  for (const auto& [name, value] : fields) {
    out += fmt::format("{}{}={}", out.empty() ? "" : "&", name, Encode(value));
  }
  return out;
}

std::string RandomText(Random& random) {
  std::array<std::uint8_t, 32> bytes{};
  random.Fill(bytes);
  return EncodeBase64Url({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string ChallengeOf(std::string_view verifier) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(verifier.data()), verifier.size(), digest.data());
  return EncodeBase64Url({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string TextAt(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

Result<json::object> ObjectOf(std::string_view text, std::string_view what) {
  Result<json::value> value = ParseJson(text);
  if (value && value->is_object()) return std::move(value->get_object());
  return Fail(Code::kUnavailable, fmt::format("the identity provider's {} is not JSON", what));
}

std::string WithQuery(const std::string& url, const std::string& query) {
  return url + (url.contains('?') ? "&" : "?") + query;
}

std::unexpected<Error> NotThis() {
  return Fail(Code::kUnauthorized, "this sign-in was not begun here, or took too long",
              "begin it again");
}

}  // namespace

std::string WriteAttempt(const Attempt& attempt) {
  return fmt::format("{} {} {} {}", attempt.state, attempt.nonce, attempt.verifier,
                     attempt.expires_at.micros);
}

std::optional<Attempt> ReadAttempt(std::string_view text) {
  std::vector<std::string_view> parts = yard::Split(text, ' ');
  std::optional<std::int64_t> expires = parts.size() == 4 ? ParseInt(parts[3]) : std::nullopt;
  if (!expires) return std::nullopt;
  return Attempt{std::string(parts[0]), std::string(parts[1]), std::string(parts[2]),
                 Time{*expires}};
}

Result<Provider::Metadata> Provider::Discover(Time now) {
  {
    MutexLock lock(mutex_);
    if (metadata_ && now - metadata_->read_at < kMetadataLifetime) return *metadata_;
  }
  std::string base = options_.issuer;
  if (base.ends_with('/')) base.pop_back();
  YARD_ASSIGN(std::string text, fetch_->Get(base + "/.well-known/openid-configuration"));
  YARD_ASSIGN(json::object object, ObjectOf(text, "metadata"));
  if (TextAt(object, "issuer") != options_.issuer) {
    return Fail(Code::kUnavailable,
                fmt::format("the identity provider calls itself '{}', not '{}'",
                            TextAt(object, "issuer"), options_.issuer),
                "set oidc-issuer to exactly what it calls itself");
  }
  Metadata metadata{.authorization = TextAt(object, "authorization_endpoint"),
                    .token = TextAt(object, "token_endpoint"),
                    .keys = TextAt(object, "jwks_uri"),
                    .end_session = TextAt(object, "end_session_endpoint"),
                    .read_at = now};
  bool secure = options_.issuer.starts_with("https://");
  for (const std::string* url : {&metadata.authorization, &metadata.token, &metadata.keys}) {
    bool good = url->starts_with("https://") || (!secure && url->starts_with("http://"));
    if (!good) return Fail(Code::kUnavailable, "the identity provider names no safe endpoints");
  }
  MutexLock lock(mutex_);
  metadata_ = metadata;
  return metadata;
}

// A key that is not known may be a new one: the document is read again, but not for every token
// that somebody makes up.
Result<KeySet> Provider::KeysFor(const Metadata& metadata, std::string_view key_id, Time now) {
  {
    MutexLock lock(mutex_);
    if (keys_ && (keys_->Has(key_id) || now - keys_read_at_ < kBetweenKeys)) return *keys_;
    keys_read_at_ = now;
  }
  YARD_ASSIGN(std::string text, fetch_->Get(metadata.keys));
  YARD_ASSIGN(KeySet keys, KeySet::Parse(text));
  MutexLock lock(mutex_);
  keys_ = keys;
  return keys;
}

Result<Provider::Begun> Provider::Begin(Random& random, Time now) {
  YARD_ASSIGN(Metadata metadata, Discover(now));
  Attempt attempt{.state = RandomText(random),
                  .nonce = RandomText(random),
                  .verifier = RandomText(random),
                  .expires_at = now + kAttemptLifetime};
  std::string challenge = ChallengeOf(attempt.verifier);
  std::string query = FormOf({{"response_type", "code"},
                              {"client_id", options_.client_id},
                              {"redirect_uri", options_.callback},
                              {"scope", options_.scopes},
                              {"state", attempt.state},
                              {"nonce", attempt.nonce},
                              {"code_challenge", challenge},
                              {"code_challenge_method", "S256"}});
  return Begun{WithQuery(metadata.authorization, query), std::move(attempt)};
}

Result<std::string> Provider::Exchange(const Metadata& metadata, const Attempt& attempt,
                                       const std::string& code) {
  Fetch::Form form{.url = metadata.token,
                   .body = FormOf({{"grant_type", "authorization_code"},
                                   {"code", code},
                                   {"redirect_uri", options_.callback},
                                   {"client_id", options_.client_id},
                                   {"code_verifier", attempt.verifier}})};
  if (!options_.client_secret.empty()) {
    form.user = Encode(options_.client_id);
    form.password = Encode(options_.client_secret);
  }
  YARD_ASSIGN(std::string text, fetch_->Post(form));
  YARD_ASSIGN(json::object object, ObjectOf(text, "answer"));
  return TextAt(object, "id_token");
}

Result<Person> Provider::Finish(const Attempt& attempt, const Answer& answer, Time now) {
  bool ours = !attempt.state.empty() && attempt.state == answer.state && now < attempt.expires_at;
  if (!ours || answer.code.empty()) return NotThis();
  YARD_ASSIGN(Metadata metadata, Discover(now));
  YARD_ASSIGN(std::string token, Exchange(metadata, attempt, answer.code));
  YARD_ASSIGN(std::string key_id, KeyIdOf(token));
  YARD_ASSIGN(KeySet keys, KeysFor(metadata, key_id, now));
  return ReadIdToken(token, keys,
                     {.issuer = options_.issuer,
                      .client_id = options_.client_id,
                      .nonce = attempt.nonce,
                      .now = now,
                      .email_claim = options_.email_claim,
                      .groups_claim = options_.groups_claim});
}

Result<std::optional<std::string>> Provider::SignOutUrl(Time now) {
  YARD_ASSIGN(Metadata metadata, Discover(now));
  if (metadata.end_session.empty()) return std::nullopt;
  return WithQuery(metadata.end_session, FormOf({{"client_id", options_.client_id},
                                                 {"post_logout_redirect_uri", options_.home}}));
}

}  // namespace yard::oidc

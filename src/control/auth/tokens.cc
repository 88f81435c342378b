#include "control/auth/tokens.h"

#include <fmt/format.h>
#include <sodium.h>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "base/json.h"

namespace yard::control {
namespace {

constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr std::size_t kMaxToken = 4096;
constexpr std::string_view kIssuer = "gpuyard";
constexpr std::string_view kHeader = R"({"alg":"EdDSA","typ":"JWT"})";

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::unexpected<Error> NotOurs() {
  return Fail(Code::kUnauthorized, "the token is not valid", "sign in again");
}

// Length of the UTF-8 sequence that starts with `lead`, and the bits `lead` itself carries.
std::pair<int, std::uint32_t> LeadByte(std::uint8_t lead) {
  if (lead < 0xe0) return {2, lead & 0x1fU};
  if (lead < 0xf0) return {3, lead & 0x0fU};
  return {4, lead & 0x07U};
}

void AppendEscape(std::string& out, std::uint32_t rune) {
  if (rune > 0xffff) {
    rune -= 0x10000;
    out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rune >> 10), 0xdc00 + (rune & 0x3ff));
  } else {
    out += fmt::format("\\u{:04x}", rune);
  }
}

// Valid JSON text as ASCII without the four characters whose base64url can hold '-' or '_'.
std::string ToPlainAscii(std::string_view json) {
  std::string out;
  for (std::size_t i = 0; i < json.size();) {
    auto byte = static_cast<std::uint8_t>(json[i]);
    if (byte < 0x80) {
      bool unsafe = byte == '>' || byte == '?' || byte == '~' || byte == 0x7f;
      if (unsafe) AppendEscape(out, byte);
      if (!unsafe) out += json[i];
      ++i;
      continue;
    }
    auto [length, rune] = LeadByte(byte);
    for (int k = 1; k < length; ++k) {
      rune = rune << 6 | (static_cast<std::uint8_t>(json[i + static_cast<std::size_t>(k)]) & 0x3fU);
    }
    AppendEscape(out, rune);
    i += static_cast<std::size_t>(length);
  }
  return out;
}

std::string Payload(const Claims& claims) {
  std::string name;
  AppendJsonString(name, claims.name);
  std::string session;
  if (claims.session) {
    session = fmt::format(R"("sid":"{}","gen":{},)", FormatUuid(claims.session->value),
                          claims.generation);
  }
  return ToPlainAscii(fmt::format(R"({{"iss":"{}","kind":"{}","type":"{}","sub":"{}","name":{},)"
                                  R"("epoch":{},{}"iat":{},"exp":{}}})",
                                  kIssuer, claims.kind == TokenKind::kAccess ? "access" : "refresh",
                                  claims.type == SubjectType::kApp ? "app" : "user",
                                  FormatUuid(claims.subject), name, claims.epoch, session,
                                  claims.issued_at.micros / 1'000'000,
                                  claims.expires_at.micros / 1'000'000));
}

// A field of the payload; nothing if it is missing or of another kind.
std::optional<std::string_view> Text(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string().data(), value->get_string().size());
}

std::optional<std::int64_t> Number(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_int64()) return std::nullopt;
  return value->get_int64();
}

std::optional<TokenKind> KindOf(std::string_view name) {
  if (name == "access") return TokenKind::kAccess;
  if (name == "refresh") return TokenKind::kRefresh;
  return std::nullopt;
}

std::optional<SubjectType> TypeOf(std::string_view name) {
  if (name == "user") return SubjectType::kUser;
  if (name == "app") return SubjectType::kApp;
  return std::nullopt;
}

Result<Claims> ReadPayload(std::string_view text) {
  Result<json::value> value = ParseJson(text);
  if (!value || !value->is_object()) return NotOurs();
  const json::object& object = value->get_object();
  std::optional<Uuid> subject = ParseUuid(Text(object, "sub").value_or(""));
  std::optional<std::int64_t> epoch = Number(object, "epoch");
  std::optional<std::int64_t> issued = Number(object, "iat");
  std::optional<std::int64_t> expires = Number(object, "exp");
  std::optional<TokenKind> kind = KindOf(Text(object, "kind").value_or(""));
  std::optional<SubjectType> type = TypeOf(Text(object, "type").value_or(""));
  if (!subject || !epoch || !issued || !expires || !kind || !type) return NotOurs();
  if (Text(object, "iss") != kIssuer) return NotOurs();
  std::optional<Uuid> session = ParseUuid(Text(object, "sid").value_or(""));
  constexpr std::int64_t kLatest = 1LL << 40;  // seconds that fit in a Time
  if (*issued < 0 || *issued > kLatest || *expires < 0 || *expires > kLatest) return NotOurs();
  return Claims{.kind = *kind,
                .type = *type,
                .subject = *subject,
                .name = std::string(Text(object, "name").value_or("")),
                .epoch = *epoch,
                .session = session ? std::optional(SessionId{*session}) : std::nullopt,
                .generation = Number(object, "gen").value_or(0),
                .issued_at = Time{*issued * 1'000'000},
                .expires_at = Time{*expires * 1'000'000}};
}

}  // namespace

TokenKey::TokenKey(const Seed& seed) {
  YARD_CHECK(sodium_init() >= 0);
  crypto_sign_seed_keypair(public_.data(), secret_.data(), seed.data());
}

std::string TokenKey::Sign(std::string_view text) const {
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr, Bytes(text),
                       text.size(), secret_.data());
  return signature;
}

bool TokenKey::Verify(std::string_view text, std::string_view signature) const {
  return signature.size() == crypto_sign_BYTES &&
         crypto_sign_verify_detached(Bytes(signature), Bytes(text), text.size(), public_.data()) ==
             0;
}

std::string EncodeBase64Url(std::string_view bytes) {
  std::string out(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(out.data(), out.size(), Bytes(bytes), bytes.size(), kVariant);
  out.pop_back();  // the terminating NUL
  return out;
}

Result<std::string> DecodeBase64Url(std::string_view text) {
  std::string out(text.size(), '\0');
  std::size_t size = 0;
  int failed = sodium_base642bin(reinterpret_cast<unsigned char*>(out.data()), out.size(),
                                 text.data(), text.size(), nullptr, &size, nullptr, kVariant);
  if (failed != 0) return NotOurs();
  out.resize(size);
  // libsodium lets some bytes outside the alphabet pass; only the one right spelling is a token.
  if (EncodeBase64Url(out) != text) return NotOurs();
  return out;
}

std::string IssueToken(const TokenKey& key, const Claims& claims) {
  std::string token = EncodeBase64Url(kHeader) + "." + EncodeBase64Url(Payload(claims));
  return token + "." + EncodeBase64Url(key.Sign(token));
}

Result<Claims> VerifyToken(const TokenKey& key, std::string_view token) {
  static const std::string prefix = EncodeBase64Url(kHeader) + ".";
  if (token.size() > kMaxToken || !token.starts_with(prefix)) return NotOurs();
  std::size_t dot = token.rfind('.');
  if (dot < prefix.size()) return NotOurs();
  YARD_ASSIGN(std::string signature, DecodeBase64Url(token.substr(dot + 1)));
  if (!key.Verify(token.substr(0, dot), signature)) return NotOurs();
  YARD_ASSIGN(std::string payload,
              DecodeBase64Url(token.substr(prefix.size(), dot - prefix.size())));
  return ReadPayload(payload);
}

Status CheckExpiry(const Claims& claims, Time now) {
  if (now < claims.expires_at) return {};
  return Fail(Code::kUnauthorized,
              fmt::format("the token expired at {}", FormatRfc3339(claims.expires_at)),
              "sign in again or use the refresh token");
}

}  // namespace yard::control

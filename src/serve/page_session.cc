#include "serve/page_session.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <sodium.h>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "base/json.h"
#include "base/strings.h"
#include "control/auth/secrets.h"
#include "control/auth/tokens.h"
#include "http/websocket.h"
#include "wire/writer.h"

namespace yard::serve {
namespace {

constexpr std::string_view kProtocol = "page.";
constexpr std::string_view kTokenRoute = "/api/v1/token";
constexpr std::string_view kHoldsTokens = R"({"accessToken":")";
// With this prefix a browser takes the cookie over TLS only, and from no other host.
constexpr std::string_view kSecurePrefix = "__Host-";
constexpr std::size_t kShortestKey = 32;
constexpr std::size_t kLongestKey = 128;

struct Tokens {
  std::string access;
  std::string refresh;
};

control::VaultKey SealingKey(std::string_view key) {
  control::VaultKey sealing{};
  static_assert(sizeof(sealing) == crypto_generichash_BYTES);
  crypto_generichash(sealing.data(), sealing.size(),
                     reinterpret_cast<const unsigned char*>(key.data()), key.size(), nullptr, 0);
  return sealing;
}

std::optional<Tokens> Unseal(std::string_view cookie, std::string_view key) {
  Result<std::string> text = control::Vault(SealingKey(key)).Open(cookie);
  if (!text) return std::nullopt;
  std::size_t end = text->find('\n');
  if (end == std::string::npos) return std::nullopt;
  return Tokens{text->substr(0, end), text->substr(end + 1)};
}

// Another port of the host may have set a cookie of the same name: the one that the key opens
// counts.
std::optional<Tokens> TokensOf(const http::Request& request, std::string_view key) {
  for (const http::Header& header : request.headers) {
    if (header.first != "cookie") continue;
    for (std::string_view pair : Split(header.second, ';')) {
      std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos) continue;
      std::string_view name = Trim(pair.substr(0, equals));
      if (name.starts_with(kSecurePrefix)) name.remove_prefix(kSecurePrefix.size());
      if (name != kSessionCookie) continue;
      if (auto tokens = Unseal(Trim(pair.substr(equals + 1)), key)) return tokens;
    }
  }
  return std::nullopt;
}

bool IsSaneKey(std::string_view key) {
  auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_';
  };
  return key.size() >= kShortestKey && key.size() <= kLongestKey && std::ranges::all_of(key, plain);
}

// The part of a token's payload that the page may know.
json::object ClaimsOf(std::string_view token) {
  std::size_t first = token.find('.');
  std::size_t second = token.find('.', first + 1);
  if (second == std::string_view::npos) return {};
  Result<std::string> text = control::DecodeBase64Url(token.substr(first + 1, second - first - 1));
  Result<json::value> claims = text ? ParseJson(*text) : Result<json::value>(json::value());
  return claims && claims->is_object() ? std::move(claims->get_object()) : json::object();
}

std::string TextOf(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(std::string_view(value->get_string()))
                                                : std::string();
}

std::string CookieOf(std::string_view value, Micros life, Transport transport) {
  bool secure = transport == Transport::kSecure;
  return fmt::format("{}{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}",
                     secure ? kSecurePrefix : "", kSessionCookie, value, life.value / 1'000'000,
                     secure ? "; Secure" : "");
}

std::string WhatThePageLearns(std::string_view access) {
  json::object claims = ClaimsOf(access);
  const json::value* expires = claims.if_contains("exp");
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("name", TextOf(claims, "name"));
  w("expiresAt", expires != nullptr && expires->is_int64() ? expires->get_int64() : 0);
  w.End();
  return out;
}

}  // namespace

std::optional<std::string> PageKeyOf(const http::Request& request) {
  std::optional<std::string_view> key = request.Find(kPageHeader);
  if (!key && http::AsksForWebSocket(request)) {
    for (std::string_view offered : http::OfferedProtocols(request)) {
      if (offered.starts_with(kProtocol)) key = offered.substr(kProtocol.size());
    }
  }
  return key && IsSaneKey(*key) ? std::optional<std::string>(*key) : std::nullopt;
}

void ShowTokens(http::Request& request, std::string_view key) {
  if (request.Find("authorization")) return;
  std::optional<Tokens> tokens = TokensOf(request, key);
  if (!tokens) return;
  if (request.path() != kTokenRoute) {
    request.headers.emplace_back("authorization", "Bearer " + tokens->access);
    return;
  }
  Result<json::value> body = ParseJson(request.body);
  bool renews =
      body && body->is_object() && TextOf(body->get_object(), "grantType") == "refresh_token";
  if (!renews) return;
  request.body =
      fmt::format(R"({{"grantType":"refresh_token","refreshToken":"{}"}})", tokens->refresh);
}

http::Request WithShownToken(const http::Request& head, std::string_view key) {
  http::Request shown{.method = head.method,
                      .target = head.target,
                      .headers = head.headers,
                      .peer_address = head.peer_address,
                      .peer_credentials = head.peer_credentials,
                      .secure = head.secure};
  ShowTokens(shown, key);
  return shown;
}

http::Reply HideTokens(http::Reply reply, std::string_view key, Transport transport,
                       Random& random) {
  if (reply.status != 200 || !reply.body.starts_with(kHoldsTokens)) return reply;
  Result<json::value> body = ParseJson(reply.body);
  YARD_CHECK(body.has_value() && body->is_object());
  std::string access = TextOf(body->get_object(), "accessToken");
  std::string text = access + "\n" + TextOf(body->get_object(), "refreshToken");
  std::string sealed = control::Vault(SealingKey(key)).Seal(text, random);
  reply.headers.emplace_back("Set-Cookie", CookieOf(sealed, control::kRefreshLifetime, transport));
  reply.body = WhatThePageLearns(access);
  return reply;
}

std::vector<http::Header> ForgetSession() {
  return {{"Set-Cookie", CookieOf("", Micros(0), Transport::kPlain)},
          {"Set-Cookie", CookieOf("", Micros(0), Transport::kSecure)}};
}

}  // namespace yard::serve

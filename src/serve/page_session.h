// The session of a page of the dashboard: two halves, each useless alone.
//
// The page makes a random key, keeps it in the storage of its origin and sends it with each request
// (header "Gpuyard-Page"; a WebSocket: sub-protocol "page.KEY"). The server seals the tokens of a
// sign-in with that key and gives them to the browser as an HttpOnly cookie. Other ports of the
// host receive the cookie but not the key; a script in the page could read the key but not the
// cookie; and no page of another origin can send the header. Pure functions but for `random`;
// thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "http/http.h"
#include "serve/addresses.h"

namespace yard::serve {

inline constexpr std::string_view kPageHeader = "gpuyard-page";
inline constexpr std::string_view kSessionCookie = "gpuyard_session";

// The page's key, if a page sent the request.
std::optional<std::string> PageKeyOf(const http::Request& request);

// Puts the tokens of the page's cookie where those of other clients stand: the access token in the
// Authorization header, the refresh token into a body that asks to renew. Without a cookie that the
// key opens, nothing changes.
void ShowTokens(http::Request& request, std::string_view key);
// The same for a look at the header only: what to authenticate.
http::Request WithShownToken(const http::Request& head, std::string_view key);

// An answer that holds tokens, as the page gets it: they become the cookie, and the page learns
// whom they belong to and when they end. Other answers stay as they are.
enum class Transport { kPlain, kSecure };
http::Reply HideTokens(http::Reply reply, std::string_view key, Transport transport,
                       Random& random);

// The Set-Cookie values that end the session.
std::vector<http::Header> ForgetSession();

}  // namespace yard::serve

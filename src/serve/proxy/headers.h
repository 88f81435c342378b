// What crosses the border between browsers and tools, and what stays on its side.
//
// A tool never sees the caller's credentials, and can neither set the product's cookie nor one
// for another tool's path. Pure functions; thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/http.h"
#include "http/response_parser.h"

namespace yard::serve {

inline constexpr std::string_view kSessionCookie = "gpuyard_session";

// The value of the session's cookie among the request's, if it is there.
std::optional<std::string> SessionCookieOf(const http::Request& request);

// The Set-Cookie value that opens (or, without a token, ends) a session.
std::string SessionCookie(std::string_view token, const http::Request& request);

// The bytes of a request to a tool, body included. Nothing for a method that cannot be passed on.
std::optional<std::string> ToolRequest(const http::Request& request, std::string_view who);

// The answer's status and headers. `prefix` is the tool's path: "/project/workload".
http::Reply ReplyFromTool(const http::ResponseHead& head, std::string_view prefix);

// The head of a tool's answer to an upgrade, as bytes.
std::string UpgradeHead(const http::ResponseHead& head, std::string_view prefix);

}  // namespace yard::serve

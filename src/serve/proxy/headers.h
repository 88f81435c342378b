// What crosses the border between browsers and tools, and what stays on its side.
//
// A tool never sees the caller's credentials, and can neither set the product's cookies nor one
// for another tool's path. Pure functions; thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/http.h"
#include "http/response_parser.h"
#include "serve/page_session.h"

namespace yard::serve {

// The tickets among the request's cookies; see control/auth/tool_pass.h.
std::vector<std::string> ToolTicketsOf(const http::Request& request);

// The Set-Cookie value that keeps a ticket for the tool at `prefix`.
std::string ToolCookie(std::string_view ticket, std::string_view prefix, Transport transport);

// The bytes of a request to a tool, body included. Nothing for a method that cannot be passed on.
std::optional<std::string> ToolRequest(const http::Request& request, std::string_view who);

// The answer's status and headers. `prefix` is the tool's path: "/project/workload".
http::Reply ReplyFromTool(const http::ResponseHead& head, std::string_view prefix);

// The head of a tool's answer to an upgrade, as bytes.
std::string UpgradeHead(const http::ResponseHead& head, std::string_view prefix);

}  // namespace yard::serve

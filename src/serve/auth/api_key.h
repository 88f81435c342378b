// The header X-API-KEY, by which clients of Omniverse Farm send their key: a token, or an
// application's id and secret as ID:SECRET. It is looked at on the addresses of Farm's protocol
// alone: elsewhere the header belongs to a tool behind the proxy.
#pragma once

#include <optional>
#include <string_view>

#include "http/http.h"

namespace yard::serve {

// Nothing where the header means nothing, or beside an Authorization header, which goes before.
std::optional<std::string_view> ApiKeyOf(const http::Request& request);

}  // namespace yard::serve

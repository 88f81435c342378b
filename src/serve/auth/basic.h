// The header `Authorization: Basic`, by which older clients send a token: as the password, beside
// any user name. A person's own password is not taken here: it would have to be hashed with every
// request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yard::serve {

// Nothing if the header is of another kind or malformed.
std::optional<std::string> BasicPassword(std::string_view header);

}  // namespace yard::serve

// The header `Authorization: Basic`, by which older clients send a token: as the password, beside
// any user name. An application's id and secret come in the same way. A person's own password is
// not taken here: it would have to be hashed with every request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yard::serve {

struct NameAndSecret {
  std::string name;
  std::string secret;
};
// "name:secret"; nothing without a colon.
std::optional<NameAndSecret> SplitSecret(std::string_view text);

// Nothing if the header is of another kind or malformed.
std::optional<NameAndSecret> BasicCredentials(std::string_view header);

}  // namespace yard::serve

// Credentials in URLs: https://user:password@host leaves the server as https://***@host.
//
// Pure functions; thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace yard {

// What stands for the credentials of a URL.
inline constexpr std::string_view kMask = "***";

// The text with the user information of every URL in it masked. Works on plain text and on JSON.
std::string MaskUrls(std::string text);

// Whether a URL in the text holds the mask instead of credentials.
bool HoldsMask(std::string_view text);

}  // namespace yard

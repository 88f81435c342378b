// An OpenVPN profile as one text that needs no other file.
//
// OpenVPN runs as root, so a profile that somebody was sent must not bring programs along: only
// directives of a client that are known here and run nothing are taken. Pure but for `read`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard::cli {

struct VpnConfig {
  std::string text;
  std::vector<std::string> remotes;  // "vpn.lab.org 1194"
  std::string certificate;           // of this client; empty: it has none
};

// A file that the profile names, by its path as it stands there.
using ReadVpnFile = std::function<Result<std::string>(const std::string& path)>;

// An error names the line.
Result<VpnConfig> ReadVpnConfig(std::string_view text, const ReadVpnFile& read);

}  // namespace yard::cli

// What the CLI remembers between calls: a server, its tokens, a project.
//
// Kept as YAML, readable by its owner only, written beside and renamed so that a crash leaves
// the old file. Unknown keys are refused, as in every configuration file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace yard::cli {

struct Profile {
  std::string url;  // "https://…" or "unix:/path"
  std::string user;
  std::string token;
  std::string refresh_token;
  std::string ca_file;
  std::string project;
};

Result<Profile> ParseProfile(std::string_view yaml);
std::string FormatProfile(const Profile& profile);

// A file that is not there is an empty profile.
Result<Profile> LoadProfile(const std::string& path);
Status SaveProfile(const std::string& path, const Profile& profile);

}  // namespace yard::cli

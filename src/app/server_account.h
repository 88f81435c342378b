// The account that a server started as root goes on as, and what it needs to reach with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/settings.h"
#include "base/result.h"

namespace yard::app {

struct ServerAccount {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
};

// Nothing: the server stays what it is, because it is not root or was told to. With
// server-account: auto also because the account could not read files that the settings name, and a
// word about it goes to the log; for an account by name that is an error.
Result<std::optional<ServerAccount>> ServerAccountOf(const Settings& settings);

// The first folder on the way to the data directory that the account may not pass.
std::optional<std::string> ClosedOnTheWay(const std::string& folder, const ServerAccount& account);

// Gives the account the data directory: a new one, or one of ours that belonged to root.
Status GiveDataDirectory(const std::string& folder, const ServerAccount& account);

}  // namespace yard::app

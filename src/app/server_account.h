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

// Nothing: the server stays what it is, because it is not root, runs no work here, or was told to.
// With server-account: auto also because the account could not reach its files; `Separate` is then
// left out with a word in the log. A name that cannot serve is an error.
Result<std::optional<ServerAccount>> ServerAccountOf(const Settings& settings);

// Gives the account the data directory: a new one, or one of ours that belonged to root.
Status GiveDataDirectory(const std::string& folder, const ServerAccount& account);

}  // namespace yard::app

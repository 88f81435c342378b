// Root's part of FTPS: the folder, and the cage with proftpd in it. See docs/adr/114.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/server_account.h"
#include "app/settings.h"
#include "base/fd.h"
#include "base/result.h"

namespace yard::app::ftps {

// What the server needs of it.
struct FtpsPlace {
  UniqueFd folder;           // DIR of app/ftps/layout.h
  UniqueFd users;            // and USERS
  UniqueFd life;             // the cage ends with it
  std::uint32_t reader = 0;  // the group that reads what was uploaded
  std::string host;
  std::uint16_t port = 0;
};

// Nothing if the settings ask for none. Call it as root, before there is a thread or a socket;
// proftpd begins to listen once the server has said who may sign in.
Result<std::optional<FtpsPlace>> StartFtps(const Settings& settings,
                                           const std::optional<ServerAccount>& account);

}  // namespace yard::app::ftps

// FTPS as the API sees it: who may sign in, folders on their way to data sets, and where people
// reach it.
#pragma once

#include <cstdint>
#include <string>

#include "control/ftps/logins.h"
#include "control/ftps/takes.h"

namespace yard::control {

struct Ftps {
  FtpsLogins& logins;
  FtpsTakes& takes;
  std::string host;  // empty: the name by which the caller reaches the API
  std::uint16_t port = 0;
  std::string certificate;  // PEM: what a client checks the server against
};

}  // namespace yard::control

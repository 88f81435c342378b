// Signing in, as a person or as an application; what the server gives is remembered.
#pragma once

#include <optional>
#include <string>

#include "cli/session.h"
#include "client/client.h"

namespace yard::cli {

struct PersonLogin {
  std::string url;  // empty: the server in use
  std::string username;
  std::string ca_file;
  std::optional<std::string> password = {};  // asked for if absent
  bool password_stdin = false;
};
client::Outcome<void> LoginAsPerson(Session& session, PersonLogin login);

struct ApplicationLogin {
  std::string url;  // empty: the server in use
  std::string name;
  std::string secret;  // asked for if empty
  std::string ca_file;
};
client::Outcome<void> LoginAsApplication(Session& session, ApplicationLogin login);

}  // namespace yard::cli

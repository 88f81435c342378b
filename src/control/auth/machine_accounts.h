// Which account of the machine belongs to whom, and which accounts may run people's work.
//
// An account belongs to one user at most: to the one whose unixName it is, or else to the one
// whose e-mail names it, if somebody who may assign machine accounts made that user. The accounts
// of the system and of the server itself belong to nobody. The rules hold when a name is stored
// and again when work is launched, since the machine's accounts change without the server.
// Looking up an account may take long: never on an I/O thread or the reactor. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/state/state.h"
#include "engine/task.h"
#include "model/access.h"

namespace yard::control {

struct MachineAccounts {
  // The account of that name on the machine; kNotFound if there is none.
  std::function<Result<engine::Account>(const std::string& name)> find;
  std::uint32_t server_uid = 0;
  // Who may run work, by name or as member of a group; both empty: everybody but the system.
  std::vector<std::string> names;
  std::vector<std::uint32_t> groups;
};

// The account, if it may run people's work: kNotFound if the machine has none of that name,
// kForbidden if it is the system's, the server's or not among those that may.
Result<engine::Account> UsableAccount(const MachineAccounts& accounts, const std::string& name);
// Whether the name can be stored: an account that the machine lacks may be made later.
Status CheckAccountName(const MachineAccounts& accounts, const std::string& name);

// The name of the account that the user is assigned, if any.
std::optional<std::string> AccountNameOf(const User& user);
// "ann" of "ann@lab.org".
std::string LocalPartOf(std::string_view email);
// Somebody other than `self` whose account that is, or null.
Ptr<User> HolderOfAccount(const State& state, std::string_view name, UserId self);

}  // namespace yard::control

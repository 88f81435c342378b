// The machine's accounts, and which of them the settings let run work.
#pragma once

#include <string>

#include "app/settings.h"
#include "base/result.h"
#include "control/auth/machine_accounts.h"
#include "engine/task.h"

namespace yard::app {

// The machine's account of that name, with its groups; kNotFound if there is none.
Result<engine::Account> FindAccount(const std::string& name);

// Fails if native-accounts names a group that the machine does not have.
Result<control::MachineAccounts> MachineAccountsOf(const Settings& settings);

}  // namespace yard::app

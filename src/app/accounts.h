// The machine's accounts, and which of them the settings let run work.
#pragma once

#include "app/settings.h"
#include "base/result.h"
#include "control/auth/machine_accounts.h"

namespace yard::app {

// Fails if native-accounts names a group that the machine does not have.
Result<control::MachineAccounts> MachineAccountsOf(const Settings& settings);

}  // namespace yard::app

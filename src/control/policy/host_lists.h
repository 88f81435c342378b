// Commands on what projects may have of their machines; see control/policy/host_access.h.
//
// Only those who may change the settings of the tenant may list anything. Reactor thread.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "control/state/txn.h"

namespace yard::control {

// Replaces the list of the scope.
Result<Ptr<Setting>> SetHostAccess(Txn& txn, const Scope& scope, const json::object& list);
// Also if there is none.
Status ClearHostAccess(Txn& txn, const Scope& scope);

// Says which folders and sockets are the server's own; for its start.
Status CloseFolders(Txn& txn, const std::vector<std::string>& folders);

}  // namespace yard::control

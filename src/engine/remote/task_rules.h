// The last look at a task before a privileged engine runs it: what nobody gets, whatever the
// control plane says. Pure but for following links of host paths.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/task.h"

namespace yard::engine::remote {

struct TaskRules {
  // Whether a plain process may run as this account, with exactly these groups.
  std::function<Status(const Account&)> check_account;
  // Whether plain processes may do without one, and then are root.
  enum class NoAccount { kRefused, kIsRoot } no_account = NoAccount::kRefused;
  std::vector<std::string> closed;  // beside the system's folders
};

// kForbidden, with the reason, if the task may not run.
Status CheckTask(const TaskSpec& spec, const TaskRules& rules);

}  // namespace yard::engine::remote

// The variables every plain process gets, before those of its spec.
//
// Thread-safe.
#pragma once

#include <string>
#include <vector>

#include "engine/local/tasks/task_folder.h"
#include "engine/task.h"

namespace yard::engine {

struct AccountNames {
  std::string user;
  std::string home;
  std::string shell;
};

// From the machine's accounts; a uid without an account has no home there: its work folder is.
AccountNames NamesOf(std::uint32_t uid);

// PATH, HOME, USER, TMPDIR and so on; then the spec's own, which win; then ours that nobody may
// change.
std::vector<Variable> EnvironmentOf(const TaskSpec& spec, const TaskFolder& folder,
                                    const std::string& path, const std::vector<Variable>& fixed);

}  // namespace yard::engine

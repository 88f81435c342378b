// As whom and where plain tasks run, as the settings say.
#pragma once

#include <string>

#include "app/settings.h"
#include "base/result.h"
#include "control/launch/spec.h"
#include "engine/local/options.h"

namespace yard::app {

// Refuses settings that would give every user of the server the rights of the server.
Status CheckNativeTasks(const Settings& settings);

// "each person's work runs as a user id of its own": for the words at the start.
std::string DescribeNativeTasks(const Settings& settings);

// The person who called sudo, as an operator-account: empty if that is none, or we are not root.
std::string OperatorOf(const std::string& caller);

control::NativeTasks NativeTasksOf(const Settings& settings);
engine::RootTasks RootTasksOf(const Settings& settings);

// The folder of the tasks: outside the data directory, which is closed, if tasks run under other
// accounts than the server.
std::string TaskFolderOf(const Settings& settings);
// The same where no setting names one.
std::string UsualTaskFolder(const std::string& data_dir);

}  // namespace yard::app

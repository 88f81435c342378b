// The lines of shell that stand before a job's command on its node: a copy of the snapshot of its
// own, folders for its outputs, modules, scratch and image. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/job/profile.h"

namespace yard::cli {

// The variable by which work finds a data set.
std::string DataVariable(std::string_view name);

// `data_set` holds the snapshot. The command is the script's arguments.
std::string NodeScript(const JobProfile& profile, const std::string& data_set);

}  // namespace yard::cli

// Summaries side by side as a table for people and as JSON for scripts. Pure functions.
#pragma once

#include <span>
#include <string>

#include "sim/summary.h"

namespace yard::sim {

// One column per policy, then a table of users for each.
std::string FormatTable(std::span<const Summary> runs);
// One object: {"runs": [...]}; all figures, the users, the projects and the samples.
std::string FormatJson(std::span<const Summary> runs);

}  // namespace yard::sim

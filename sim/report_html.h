// Summaries side by side as one self-contained page: figures, plots over time, users.
//
// No script and nothing to load; light or dark as the reader's system is. A pure function.
#pragma once

#include <span>
#include <string>

#include "sim/summary.h"

namespace yard::sim {

std::string FormatHtml(std::span<const Summary> runs);

}  // namespace yard::sim

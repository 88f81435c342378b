// What work asked for and what it used, for people. Pure.
#pragma once

#include <string>

#include "base/json.h"
#include "base/time.h"
#include "cli/table.h"

namespace yard::cli {

struct Efficiency {
  Table table;
  std::string verdict;  // one sentence; empty: nothing can be said
};

// `usage` is the API's answer, `ran` how long the work has run in all attempts.
Efficiency EfficiencyOf(const json::value& usage, Micros ran);

// Between start and end of each attempt, together.
Micros RunTimeOf(const json::array& attempts, Time now);

}  // namespace yard::cli

// How studies and trials look on a terminal. Pure, but for printing.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "cli/session.h"
#include "cli/table.h"

namespace yard::cli {

Table StudyTable(const std::vector<json::value>& studies);
Table TrialTable(const std::vector<json::value>& trials);

// "ppo  Running  [######....] 30/50  best 0.12 (trial 17)"
std::string ProgressOf(const json::value& study);

// A study with its counts and its best trial, in the format that was asked for.
void PrintStudy(Session& session, const json::value& study);

// The best trials, and how much each parameter matters.
std::string BestText(const json::value& best, const json::value& importances);

// "lr=0.01 optimizer=adam"
std::string ParametersText(const json::value& trial);

}  // namespace yard::cli

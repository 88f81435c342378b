// The groups of routes about studies; see api/groups.h.
#pragma once

#include <vector>

#include "api/handler.h"

namespace yard::api {

void AddStudyRoutes(std::vector<Route>& routes);
void AddStudyTrialRoutes(std::vector<Route>& routes);
void AddStudyInsightRoutes(std::vector<Route>& routes);
void AddStudyColumnRoutes(std::vector<Route>& routes);
void AddStudyJournalRoutes(std::vector<Route>& routes);

}  // namespace yard::api

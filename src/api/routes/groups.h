// The groups of routes; see api/route.h.
#pragma once

#include <vector>

#include "api/route.h"

namespace yard::api {

void AddProjectRoutes(std::vector<Route>& routes);
void AddDepartmentRoutes(std::vector<Route>& routes);
void AddSystemRoutes(std::vector<Route>& routes);

}  // namespace yard::api

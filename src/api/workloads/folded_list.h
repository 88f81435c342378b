// The list of workloads with each array as one row, see folded_list.cc.
#pragma once

#include <vector>

#include "api/handler.h"

namespace yard::api {

void AddFoldedListRoutes(std::vector<Route>& routes);

}  // namespace yard::api

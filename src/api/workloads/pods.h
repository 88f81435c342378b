// The routes of pods, see pods.cc.
#pragma once

#include <vector>

#include "api/handler.h"

namespace yard::api {

void AddPodRoutes(std::vector<Route>& routes);

}  // namespace yard::api

// The OpenAPI document of a table of routes.
#pragma once

#include <string>
#include <vector>

#include "api/route.h"

namespace yard::api {

std::string OpenApiDocument(const std::vector<Route>& routes);

}  // namespace yard::api

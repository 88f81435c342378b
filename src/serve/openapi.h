// The OpenAPI document of a table of routes.
#pragma once

#include <string>
#include <vector>

#include "serve/route.h"

namespace yard::serve {

std::string OpenApiDocument(const std::vector<Route>& routes);

}  // namespace yard::serve

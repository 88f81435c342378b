// The OpenAPI document of a table of routes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "serve/dialect.h"
#include "serve/route.h"

namespace yard::serve {

// Routes of a dialect are left out. A reply "Thing?" is a Thing, or 204 without a body.
std::string OpenApiDocument(const std::vector<Route>& routes, std::span<const Dialect> dialects);

}  // namespace yard::serve

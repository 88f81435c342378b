// First parts of paths that belong to the server and the dashboard.
//
// A workload's tool is reached at /<project>/<workload>/, beside the API and the dashboard's pages:
// no project may have one of these names. Projects, the proxy and the static files share this list.
// Constants; thread-safe.
#pragma once

#include <span>
#include <string_view>

namespace yard {

// Where the API answers, now or later: there a wrong path is an error, not a page.
std::span<const std::string_view> ApiRoots();

// Whether `segment` is the first part of a path of the API, the server or the dashboard.
bool IsReservedName(std::string_view segment);

}  // namespace yard

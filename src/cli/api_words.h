// The server speaks of its API: fields and paths. People typed flags and verbs. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yard::cli {

// The sentence with flags for fields: "spec.nodePools: …" becomes "--pool: …".
std::string WithFlags(std::string_view sentence);
// A hint with flags for fields and a verb for a route: "see GET /api/v1/org-unit/projects for the
// ids" becomes "see `gpuyard get projects`". Empty if it does not help on a command line.
std::string InOurWords(std::string_view sentence);

}  // namespace yard::cli

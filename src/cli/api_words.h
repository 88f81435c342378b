// The server speaks of its API: fields and paths. People typed flags and verbs. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yard::cli {

// Whose flags are meant: ours, or those of the other program when it was called by its name.
enum class Flags { kOurs, kRunai };

// The sentence with flags for fields: "spec.nodePools: …" becomes "--pool: …".
std::string WithFlags(std::string_view sentence, Flags flags = Flags::kOurs);
// A hint with flags for fields and a verb for a route: "see GET /api/v1/org-unit/projects for the
// ids" becomes "see `gpuyard get projects`". Empty if it does not help on a command line.
std::string InOurWords(std::string_view sentence, Flags flags = Flags::kOurs);

}  // namespace yard::cli

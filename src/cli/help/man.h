// Manual pages from the same declarations as --help.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace yard::cli {

// The page in roff of the program, or of the verb that `words` lead to.
Result<std::string> ManPageOf(const CLI::App& root, const std::vector<std::string>& words);
// Every page into `folder`, which is made if need be.
Status WriteManPages(const CLI::App& root, const std::string& folder);

}  // namespace yard::cli

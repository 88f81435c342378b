// Manual pages from the same declarations as --help.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace yard::cli {

// One page in roff: of the program if `app` is the root, else of a verb.
std::string ManPage(const CLI::App& app);
// "gpuyard-config-view": the page's name without its section.
std::string ManName(const CLI::App& app);

}  // namespace yard::cli

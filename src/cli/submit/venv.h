// The Python environment that is activated in the caller's shell.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace yard::cli {

struct Venv {
  std::string folder;
  // What activating it has set: its own variables and the PATH that leads to it.
  std::vector<std::pair<std::string, std::string>> variables;
};

// Of `variables`, all that surround the caller. Nothing: none is activated, or PATH does not lead
// to it any more.
std::optional<Venv> FindVenv(const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace yard::cli

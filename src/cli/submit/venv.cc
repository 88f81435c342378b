#include "cli/submit/venv.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/strings.h"

namespace yard::cli {
namespace {

constexpr std::array<std::string_view, 3> kOwn = {"VIRTUAL_ENV", "CONDA_PREFIX",
                                                  "CONDA_DEFAULT_ENV"};

}  // namespace

std::optional<Venv> FindVenv(const std::vector<std::pair<std::string, std::string>>& variables) {
  auto value_of = [&](std::string_view name) -> std::string_view {
    auto at = std::ranges::find(variables, name, &std::pair<std::string, std::string>::first);
    return at == variables.end() ? std::string_view() : at->second;
  };
  // A venv inside a conda environment comes first.
  for (std::string_view name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    std::string folder(value_of(name));
    std::vector<std::string_view> path = Split(value_of("PATH"), ':');
    bool leads = std::ranges::find(path, folder + "/bin") != path.end();
    if (folder.empty() || !leads) continue;
    Venv venv{.folder = folder, .variables = {}};
    for (std::string_view own : kOwn) {
      if (!value_of(own).empty()) venv.variables.emplace_back(own, value_of(own));
    }
    venv.variables.emplace_back("PATH", value_of("PATH"));
    return venv;
  }
  return std::nullopt;
}

}  // namespace yard::cli

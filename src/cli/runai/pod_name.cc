#include "cli/runai/pod_name.h"

#include "base/strings.h"

namespace yard::cli::runai {

std::optional<PodName> ParsePodName(std::string_view name) {
  std::size_t last = name.rfind('-');
  if (last == name.npos || last == 0) return std::nullopt;
  std::size_t middle = name.rfind('-', last - 1);
  if (middle == name.npos || middle == 0) return std::nullopt;
  std::optional<std::int64_t> attempt = ParseInt(name.substr(middle + 1, last - middle - 1));
  std::optional<std::int64_t> rank = ParseInt(name.substr(last + 1));
  if (!attempt || !rank || *attempt < 0 || *rank < 0) return std::nullopt;
  return PodName{std::string(name.substr(0, middle)), *attempt + 1, *rank};
}

}  // namespace yard::cli::runai

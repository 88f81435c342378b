#include "engine/slurm/hostlist.h"

#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::engine::slurm {
namespace {

constexpr std::size_t kMost = 65'536;
constexpr std::size_t kDigitsMost = 9;

std::unexpected<Error> Odd(std::string_view list) {
  return Fail(Code::kInvalid, fmt::format("'{}' is no list of nodes", list.substr(0, 200)));
}

struct Range {
  std::int64_t first = 0;
  std::int64_t last = -1;
  std::size_t width = 0;
};

std::optional<Range> ParseRange(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::string_view low = text.substr(0, dash);
  const std::string_view high = dash == std::string_view::npos ? low : text.substr(dash + 1);
  if (low.size() > kDigitsMost || high.size() > kDigitsMost) return std::nullopt;
  const std::optional<std::int64_t> first = ParseInt(low);
  const std::optional<std::int64_t> last = ParseInt(high);
  if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
  return Range{*first, *last, low.size()};
}

// Commas inside brackets part numbers, not names.
std::vector<std::string_view> SplitNames(std::string_view list) {
  std::vector<std::string_view> names;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    if (at < list.size() && list[at] == '[') inside = true;
    if (at < list.size() && list[at] == ']') inside = false;
    if (at < list.size() && (list[at] != ',' || inside)) continue;
    if (at > begin) names.push_back(list.substr(begin, at - begin));
    begin = at + 1;
  }
  return names;
}

bool Expand(std::string_view name, std::vector<std::string>& into) {
  const std::size_t open = name.find('[');
  if (open == std::string_view::npos) {
    into.emplace_back(name);
    return into.size() <= kMost && !name.contains(']');
  }
  const std::size_t close = name.find(']', open);
  if (close == std::string_view::npos || name.find('[', close) != std::string_view::npos)
    return false;
  for (std::string_view part : Split(name.substr(open + 1, close - open - 1), ',')) {
    const std::optional<Range> range = ParseRange(part);
    if (!range || static_cast<std::size_t>(range->last - range->first) >= kMost) return false;
    for (std::int64_t n = range->first; n <= range->last; ++n) {
      into.push_back(
          fmt::format("{}{:0{}}{}", name.substr(0, open), n, range->width, name.substr(close + 1)));
      if (into.size() > kMost) return false;
    }
  }
  return true;
}

}  // namespace

Result<std::vector<std::string>> ExpandHosts(std::string_view list) {
  std::vector<std::string> hosts;
  for (std::string_view name : SplitNames(list))
    if (!Expand(name, hosts)) return Odd(list);
  return hosts;
}

std::vector<std::int64_t> ExpandNumbers(std::string_view list) {
  std::vector<std::int64_t> numbers;
  for (std::string_view part : Split(list, ',')) {
    const std::optional<Range> range = ParseRange(part);
    if (!range) return {};
    for (std::int64_t n = range->first; n <= range->last; ++n) {
      if (numbers.size() >= kMost) return {};
      numbers.push_back(n);
    }
  }
  return numbers;
}

}  // namespace yard::engine::slurm

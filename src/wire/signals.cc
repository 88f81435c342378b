#include "wire/signals.h"

#include <array>
#include <utility>

#include "base/strings.h"

namespace yard::wire {
namespace {

constexpr std::array<std::pair<std::string_view, std::int64_t>, 9> kSignals{{{"HUP", 1},
                                                                             {"INT", 2},
                                                                             {"QUIT", 3},
                                                                             {"KILL", 9},
                                                                             {"USR1", 10},
                                                                             {"USR2", 12},
                                                                             {"TERM", 15},
                                                                             {"CONT", 18},
                                                                             {"STOP", 19}}};
constexpr std::int64_t kLastSignal = 64;

}  // namespace

std::optional<std::int64_t> SignalOf(std::string_view text) {
  if (std::optional<std::int64_t> number = ParseInt(text)) {
    if (*number >= 1 && *number <= kLastSignal) return *number;
  }
  std::string_view name = text.starts_with("SIG") ? text.substr(3) : text;
  for (const auto& [known, number] : kSignals) {
    if (known == name) return number;
  }
  return std::nullopt;
}

}  // namespace yard::wire

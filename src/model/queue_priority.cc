#include "model/queue_priority.h"

#include <array>
#include <utility>

#include "base/strings.h"

namespace yard {
namespace {

constexpr std::int64_t kMost = 1000;

using Named = std::pair<std::string_view, std::int32_t>;
constexpr std::array<Named, 8> kNames{{{"VeryLow", 100},
                                       {"Low", 200},
                                       {"MediumLow", 300},
                                       {"Normal", kNormalQueuePriority},
                                       {"Medium", kNormalQueuePriority},
                                       {"MediumHigh", 500},
                                       {"High", 600},
                                       {"VeryHigh", 700}}};

}  // namespace

std::optional<std::int32_t> QueuePriorityOf(std::string_view text) {
  for (const auto& [name, value] : kNames) {
    if (EqualsIgnoreCase(text, name)) return value;
  }
  const std::optional<std::int64_t> number = ParseInt(text);
  if (!number || *number < 0 || *number > kMost) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

}  // namespace yard

#include "serve/live/log_place.h"

#include <algorithm>

#include "base/strings.h"

namespace yard::serve {
namespace {

constexpr std::int64_t kStep = 64 * 1024;

// The bytes from `begin` to `end`; fewer if the front was dropped meanwhile.
Result<engine::LogChunk> ReadRange(control::Live& live, const control::TaskChoice& task,
                                   std::int64_t begin, std::int64_t end) {
  YARD_ASSIGN(engine::LogChunk whole,
              live.ReadLog(task, begin, static_cast<std::size_t>(end - begin)));
  while (whole.next < end && !whole.bytes.empty()) {
    YARD_ASSIGN(engine::LogChunk more,
                live.ReadLog(task, whole.next, static_cast<std::size_t>(end - whole.next)));
    if (more.bytes.empty()) break;
    whole.bytes += more.bytes;
    whole.next = more.next;
  }
  return whole;
}

}  // namespace

std::optional<Micros> ParseSpan(std::string_view text) {
  Micros unit = Seconds(1);
  if (text.ends_with('m')) unit = Minutes(1);
  if (text.ends_with('h')) unit = Hours(1);
  if (text.ends_with('d')) unit = Days(1);
  bool named = !text.empty() && std::string_view("smhd").contains(text.back());
  std::optional<std::int64_t> count = ParseInt(named ? text.substr(0, text.size() - 1) : text);
  constexpr std::int64_t kMost = 100'000'000;
  if (!count || *count < 0 || *count > kMost) return std::nullopt;
  return Micros(*count * unit.value);
}

Result<std::int64_t> LogEnd(control::Live& live, const control::TaskChoice& task, Time now) {
  return live.LogOffsetAt(task, now + Days(1));
}

Result<std::int64_t> TailOffset(control::Live& live, const control::TaskChoice& task,
                                std::int64_t lines, Time now) {
  YARD_ASSIGN(const std::int64_t end, LogEnd(live, task, now));
  if (lines == 0) return end;
  std::int64_t position = end;
  std::int64_t left = lines;
  while (position > 0) {
    std::int64_t begin = std::max<std::int64_t>(0, position - kStep);
    YARD_ASSIGN(engine::LogChunk chunk, ReadRange(live, task, begin, position));
    for (std::int64_t i = static_cast<std::int64_t>(chunk.bytes.size()) - 1; i >= 0; --i) {
      std::int64_t at = chunk.offset + i;
      // The line break at the very end closes the last line and begins no other.
      bool breaks = chunk.bytes[static_cast<std::size_t>(i)] == '\n' && at + 1 < end;
      if (breaks && --left == 0) return at + 1;
    }
    if (chunk.offset > begin) return chunk.offset;  // what lies before it is not kept
    position = begin;
  }
  return 0;
}

}  // namespace yard::serve

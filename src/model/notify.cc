#include "model/notify.h"

#include <algorithm>

namespace yard {
namespace {

// 1 s, 4 s, 16 s … about an hour and a half in all.
constexpr std::int64_t kMostTries = 8;
constexpr std::int64_t kGrowth = 4;

}  // namespace

bool NotifyRule::Wants(NotifyEvent event) const {
  return enabled && std::ranges::find(events, event) != events.end();
}

std::optional<Micros> PauseAfter(std::int64_t tries) {
  if (tries >= kMostTries) return std::nullopt;
  Micros pause = Seconds(1);
  for (std::int64_t i = 1; i < tries; ++i) pause = pause * kGrowth;
  return pause;
}

}  // namespace yard

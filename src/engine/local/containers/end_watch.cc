#include "engine/local/containers/end_watch.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/check.h"

namespace yard::engine::containers {
namespace {

constexpr int kFirstPauseMs = 5;
constexpr int kLongestPauseMs = 200;

}  // namespace

void EndWatch::Follow() {
  for (int pause_ms = 0;; pause_ms = std::clamp(2 * pause_ms, kFirstPauseMs, kLongestPauseMs)) {
    pollfd cancelled{signal_.ours.get(), POLLIN, 0};
    if (::poll(&cancelled, 1, pause_ms) > 0) return;
    std::optional<Result<std::int32_t>> code = ending_();
    if (!code) continue;
    {
      MutexLock hold(mutex_);
      code_ = std::move(code);
    }
    return signal_.EndOurs();
  }
}

bool EndWatch::known() const {
  MutexLock hold(mutex_);
  return code_.has_value();
}

Result<std::int32_t> EndWatch::Wait() const {
  pollfd over{signal_.theirs.get(), POLLIN, 0};
  while (::poll(&over, 1, -1) < 0 && errno == EINTR) {
  }
  MutexLock hold(mutex_);
  YARD_CHECK(code_.has_value());
  return *code_;
}

}  // namespace yard::engine::containers

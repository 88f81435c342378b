// Finds out how a command ended whose daemon tells it only when asked.
//
// It asks, less and less often, until there is an answer or nobody waits for one any more. Follow
// is for one thread of the owner; the rest is thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "base/result.h"
#include "engine/local/containers/channel.h"

namespace yard::engine::containers {

// The exit code, or why nobody will ever know it; nothing while the command runs.
using Ending = std::function<std::optional<Result<std::int32_t>>()>;

class EndWatch {
 public:
  EndWatch(Channel signal, Ending ending)
      : signal_(std::move(signal)), ending_(std::move(ending)) {}

  // Asks until the end is known, or until Cancel.
  void Follow();
  // Before the end: nothing may wait for it.
  void Cancel() const { signal_.HangUp(); }

  // Readable once the end is known.
  int ended() const { return signal_.theirs.get(); }
  bool known() const;
  // Blocks until it is.
  Result<std::int32_t> Wait() const;

 private:
  const Channel signal_;  // says no word: it only ends
  const Ending ending_;
  mutable Mutex mutex_;
  std::optional<Result<std::int32_t>> code_ YARD_GUARDED_BY(mutex_);
};

}  // namespace yard::engine::containers

// The socket on which shims say that their command runs.
//
// Callbacks run on the loop's thread. A word that gets lost does no harm: the folder has it too.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/local/event_loop.h"
#include "engine/task.h"

namespace yard::engine {

class ShimEvents {
 public:
  using OnStarted = std::function<void(const TaskKey&, Time at)>;

  // kConflict if another server listens there: two must not share a root.
  static Result<ShimEvents> Listen(EventLoop& loop, const std::string& root, OnStarted on_started);
  ShimEvents(ShimEvents&&) = default;
  ShimEvents& operator=(ShimEvents&&) = default;
  ~ShimEvents();

 private:
  ShimEvents() = default;

  EventLoop* loop_ = nullptr;
  UniqueFd socket_;
  std::string path_;
};

}  // namespace yard::engine

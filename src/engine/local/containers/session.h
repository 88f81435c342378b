// Sessions over the streams of a daemon: commands in a container, and its terminal.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/local/containers/daemon.h"
#include "engine/local/containers/end_watch.h"

namespace yard::engine::containers {

enum class Framing { kRaw, kFramed };     // with a terminal, without
enum class InputEnd { kTyped, kClosed };  // ^D, or the end of the stream

struct StreamSpec {
  UniqueFd stream;
  Framing framing = Framing::kRaw;
  InputEnd input_end = InputEnd::kClosed;
  std::function<Status(std::uint16_t rows, std::uint16_t columns)> resize;
  Ending ending;                  // asked for once the output has ended
  std::function<void()> hang_up;  // if the session goes before that
};
Result<std::unique_ptr<Session>> MakeStreamSession(StreamSpec spec);

}  // namespace yard::engine::containers

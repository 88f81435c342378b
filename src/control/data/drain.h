// Reads a tar stream of a task to its end. Any thread; waits for the task's side.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/facets.h"

namespace yard::control {

struct TarDrain {
  std::function<Status(std::string_view piece)> take;
  std::function<bool()> stopped = nullptr;  // asked about once a second; it then is kUnavailable
};
// What the stream's writer complained about; empty: nothing. The first failure of `take` ends it.
Result<std::string> DrainTar(engine::Session& session, const TarDrain& drain);

}  // namespace yard::control

// Where the end of a session shows, for those who wait for many. Stateless; thread-safe.
#pragma once

#include "control/live.h"
#include "engine/waitable.h"

namespace yard::control {

// Readable once Wait does not block; -1 if the engine has no descriptor for it, and Wait is soon
// over once the output has ended.
inline int EndOf(const engine::Session& session) {
  const auto* waitable = dynamic_cast<const engine::Waitable*>(&session);
  return waitable ? waitable->ended() : -1;
}

}  // namespace yard::control

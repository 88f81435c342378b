// One direction between a thread of ours and whoever holds a Session: our end blocks, theirs does
// not. Either side may hang up at any time without a signal.
#pragma once

#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace yard::engine::containers {

struct Channel {
  UniqueFd ours;
  UniqueFd theirs;

  static Result<Channel> Make();
  // False if the other side has hung up.
  bool Send(std::string_view bytes) const;
  void EndOurs() const;
  void HangUp() const;  // wakes a thread that waits in Send
};

void SetNonBlocking(int fd);

}  // namespace yard::engine::containers

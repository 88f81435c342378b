// What a container that has ended wrote into its own layer, which goes with it. Best effort: a
// daemon that keeps no layer of its own for a container leaves nothing to be told.
#pragma once

#include <cstdint>

namespace yard::shim {

struct LeftFiles {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  bool is_all = true;     // false: there were too many to count
  char first[1024] = {};  // the path of one inside the container
};

// Files with content below `layer`, without what is meant to go: /tmp, /run, /var and caches. No
// link is followed. The layer's writers have ended.
LeftFiles FilesIn(const char* layer);

}  // namespace yard::shim

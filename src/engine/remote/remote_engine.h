// An engine in another process of this machine, for a server that gives up its own privileges.
// See engine/engine.h for the contract; every call goes over and waits.
//
// Thread-safe. The other process ends when this object goes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "engine/engine.h"

namespace yard::engine {

class RemoteEngine : public CompleteEngine {
 public:
  // `control` leads to a process in ServeEngine. `lost` is called, on a thread of this object, when
  // that process ends before this object does.
  static Result<std::unique_ptr<RemoteEngine>> Open(UniqueFd control, std::function<void()> lost);

  // Folders and sockets that no work may mount, as the other process knows them.
  virtual const std::vector<std::string>& closed_folders() const = 0;
  // Where a path of the machine leads to, links followed.
  virtual Result<std::string> ResolvePath(const std::string& path) = 0;
};

}  // namespace yard::engine

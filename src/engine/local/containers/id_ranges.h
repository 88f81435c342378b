// Which ids of the machine the containers of a project have: a range for each project, its own for
// as long as the engine's folder exists, because files in its volumes belong to them.
//
// The ranges are kept in a file beside the volumes, a line "NUMBER PROJECT" for each, which only
// grows. A project is given the number that follows from its name, or the next free one.
// Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "engine/local/containers/id_space.h"

namespace yard::engine::containers {

class IdRanges {
 public:
  // Of the file; it is made if it is not there.
  static Result<std::unique_ptr<IdRanges>> Open(const std::string& path);

  // The project's range. kUnavailable: all are taken, or it cannot be kept.
  Result<IdRange> Of(std::string_view project);

 private:
  explicit IdRanges(UniqueFd file) : file_(std::move(file)) {}
  Status Load(const std::string& path);
  Result<std::uint32_t> Free(std::string_view project) const;  // with the lock held

  std::mutex mutex_;
  UniqueFd file_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;  // guarded by mutex_
  std::map<std::uint32_t, std::string> projects_;              // guarded by mutex_
};

}  // namespace yard::engine::containers

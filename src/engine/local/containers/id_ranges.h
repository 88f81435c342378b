// Which ids of the machine the containers of a project have: a range for each project, its own for
// as long as the engine's folder exists, because files in its volumes belong to them.
//
// The ranges are kept in a file beside the volumes, a line "NUMBER PROJECT" for each, which only
// grows. A project is given the number that follows from its name, or the next free one.
// Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/fd.h"
#include "base/result.h"
#include "engine/local/containers/id_space.h"

namespace yard::engine::containers {

class IdRanges {
 public:
  // Of the file, which is opened or made when it is first needed: its folder may come later.
  explicit IdRanges(std::string path) : path_(std::move(path)) {}

  // The project's range. kUnavailable: all are taken, or it cannot be kept.
  Result<IdRange> Of(std::string_view project);

 private:
  Status Open();  // with the lock held, as all of these
  Status Load();
  Result<std::uint32_t> Free(std::string_view project) const;

  const std::string path_;
  std::mutex mutex_;
  UniqueFd file_;                                              // guarded by mutex_
  std::map<std::string, std::uint32_t, std::less<>> numbers_;  // guarded by mutex_
  std::map<std::uint32_t, std::string> projects_;              // guarded by mutex_
};

}  // namespace yard::engine::containers

// How many bytes the files of each project take, and whether there may be more.
//
// A project's folders are counted once, when it is first asked for; from then on the count follows
// what comes and goes. Without a limit nothing is counted. Thread-safe: while one project is
// counted, which takes as long as it has files, others do not wait.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/ids.h"

namespace yard::control {

class ArtifactQuota {
 public:
  // `count` walks the folders of a project.
  using Count = std::function<std::uint64_t(ProjectId)>;
  ArtifactQuota(std::optional<std::uint64_t> most, Count count)
      : most_(most), count_(std::move(count)) {}

  // Takes room for bytes that are about to come; kTooLarge if there is none.
  Status Reserve(ProjectId project, std::uint64_t bytes);
  // Gives back what did not come.
  void Release(ProjectId project, std::uint64_t bytes);
  // What was reserved is stored now, in place of `replaced` bytes.
  void Store(ProjectId project, std::uint64_t bytes, std::uint64_t replaced);
  // Something was taken away: it is counted again when next asked for.
  void Recount(ProjectId project);

 private:
  struct Use {
    std::mutex mutex;
    std::optional<std::uint64_t> stored;  // nothing: not counted yet; guarded by mutex
    std::uint64_t coming = 0;             // guarded by mutex
  };

  Use& UseOf(ProjectId project);

  const std::optional<std::uint64_t> most_;  // of one project
  const Count count_;
  std::mutex mutex_;
  std::map<ProjectId, Use> uses_;  // guarded by mutex_; none is ever removed
};

}  // namespace yard::control

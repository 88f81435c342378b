// Ended work that has left the memory, as the rest of the server asks for it.
//
// A value that borrows the store: copies ask the same one. Lists and reports read the State and
// this; work is in one of them. A reader whose State is older than a move may for a moment find
// work in both. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/archive.h"

namespace yard::store {
class Archive;
}

namespace yard::control {

class Archive {
 public:
  Archive() = default;  // empty
  explicit Archive(store::Archive& store) : store_(&store) {}

  // A store that fails is logged and has nothing: its commits fail as well.
  std::optional<ArchivedWorkload> Find(WorkloadId id) const;
  std::optional<WorkloadId> FindByName(ProjectId project, std::string_view name) const;

  bool HasAttempt(AttemptId id) const;

  Result<std::vector<ArchivedWorkload>> Read(std::span<const WorkloadId> ids) const;
  Result<ArchivePage> Read(const ArchiveQuery& query) const;
  // Every one that matches, in no order, until `visit` fails.
  Status Each(const ArchiveFilter& filter,
              const std::function<Status(const ArchivedWorkload&)>& visit) const;
  // Those that ended last, the newest last; of one project or of all. A failure is logged.
  std::vector<ArchivedWorkload> Newest(std::size_t most,
                                       std::optional<ProjectId> project = std::nullopt) const;
  Result<std::vector<ArchiveCount>> Counts() const;
  // Bytes on disk by project.
  Result<std::map<ProjectId, std::int64_t>> Sizes() const;
  Result<std::vector<ArchiveUsage>> Sums(const ArchiveFilter& filter) const;

 private:
  store::Archive* store_ = nullptr;
};

}  // namespace yard::control

// Ended workloads with their attempts, on disk only: found by id, by name and by page.
//
// The archive is a part of the store: an object is either live or archived, never both. Moving
// work in (MoveToArchive) and back out (Entry::recalled) are transactions of the store. These
// defaults are those of a store that archives nothing. Thread rule: MoveToArchive from the reactor
// thread only; the rest from any thread.
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

// When a workload's record may go; see control/state/retention.h.
struct ArchiveItem {
  ArchivedWorkload past;
  std::optional<Time> expires;
  UsageTotals used;  // by its attempts, from beginning to end
};

class Archive {
 public:
  virtual ~Archive() = default;

  // Whether it can take work in at all.
  virtual bool archives() const { return false; }

  // Moves work out of the live objects, all of it or nothing. It must be live and committed.
  virtual Status MoveToArchive(std::span<const ArchiveItem> items);

  // In the order of the ids; those that are not archived are left out.
  virtual Result<std::vector<ArchivedWorkload>> ReadArchived(std::span<const WorkloadId> ids);
  // The archived workload of that name in the project that is not deleted.
  virtual Result<std::optional<WorkloadId>> FindArchived(ProjectId project, std::string_view name);
  virtual Result<ArchivePage> ReadArchive(const ArchiveQuery& query);
  // Every archived workload that matches, in no order, until `visit` fails.
  virtual Status EachArchived(const ArchiveFilter& filter,
                              const std::function<Status(const ArchivedWorkload&)>& visit);
  virtual Result<std::vector<ArchiveCount>> CountArchive();
  // Bytes of the packed records of each project.
  virtual Result<std::map<ProjectId, std::int64_t>> SizeArchive();
  // By everything that tells usage apart; `filter` gives the projects and the span.
  virtual Result<std::vector<ArchiveUsage>> SumArchive(const ArchiveFilter& filter);
  // Whether archived work has this attempt.
  virtual Result<bool> HasAttempt(AttemptId id);
};

}  // namespace yard::store

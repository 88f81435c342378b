// A store without a disk, for tests: keeps what it is given and can be told to fail.
// Thread rule: as store.h; `fail_with` and `entries` only while nobody else uses the store.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "store/store.h"

namespace yard::store {

class MemoryStore final : public Store {
 public:
  // The next Commits fail with this error until it is cleared.
  std::optional<Error> fail_with;
  // After so many more Commits the store fails, until it is cleared.
  std::optional<int> fail_after;

  Status Load(const std::function<Status(Object)>& take) override;
  Result<std::int64_t> Commit(std::span<const Entry> entries) override;
  Result<JournalPage> ReadJournal(const JournalQuery& query) override;
  Result<std::vector<WorkloadEvent>> ReadEvents(WorkloadId workload, std::size_t offset,
                                                std::size_t limit) override;
  Result<Pruned> Prune(Time before) override;
  Status Backup(const std::string& path) override;
  std::int64_t last_sequence() const override {
    std::lock_guard lock(mutex_);
    return sequence_;
  }

  bool archives() const override { return true; }
  Status MoveToArchive(std::span<const ArchiveItem> items) override;
  Result<std::vector<ArchivedWorkload>> ReadArchived(std::span<const WorkloadId> ids) override;
  Result<std::optional<WorkloadId>> FindArchived(ProjectId project, std::string_view name) override;
  // Not by the ranks of projects.
  Result<ArchivePage> ReadArchive(const ArchiveQuery& query) override;
  Status EachArchived(const ArchiveFilter& filter,
                      const std::function<Status(const ArchivedWorkload&)>& visit) override;
  Result<std::vector<ArchiveCount>> CountArchive() override;
  Result<std::map<ProjectId, std::int64_t>> SizeArchive() override;
  Result<bool> HasAttempt(AttemptId id) override;

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<ArchiveItem> Matching(const ArchiveFilter& filter) const;

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<Entry> entries_;
  std::map<WorkloadId, ArchiveItem> archive_;
  std::int64_t sequence_ = 0;
};

}  // namespace yard::store

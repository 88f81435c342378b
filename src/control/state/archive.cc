#include "control/state/archive.h"

#include <algorithm>

#include "base/log.h"
#include "store/archive.h"

namespace yard::control {
namespace {

template <class T>
T OrLog(Result<T> result) {
  if (result) return *std::move(result);
  log::Error("cannot read the archive", {{"error", result.error().message}});
  return {};
}

}  // namespace

std::optional<ArchivedWorkload> Archive::Find(WorkloadId id) const {
  std::vector<ArchivedWorkload> found = OrLog(Read({&id, 1}));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::optional<WorkloadId> Archive::FindByName(ProjectId project, std::string_view name) const {
  if (store_ == nullptr) return std::nullopt;
  return OrLog(store_->FindArchived(project, name));
}

// A failure keeps what belongs to the attempt, since it may be there.
bool Archive::HasAttempt(AttemptId id) const {
  if (store_ == nullptr) return false;
  return store_->HasAttempt(id).value_or(true);
}

Result<std::vector<ArchivedWorkload>> Archive::Read(std::span<const WorkloadId> ids) const {
  if (store_ == nullptr) return std::vector<ArchivedWorkload>{};
  return store_->ReadArchived(ids);
}

Result<ArchivePage> Archive::Read(const ArchiveQuery& query) const {
  if (store_ == nullptr) return ArchivePage{};
  return store_->ReadArchive(query);
}

Status Archive::Each(const ArchiveFilter& filter,
                     const std::function<Status(const ArchivedWorkload&)>& visit) const {
  if (store_ == nullptr) return {};
  return store_->EachArchived(filter, visit);
}

std::vector<ArchivedWorkload> Archive::Newest(std::size_t most,
                                              std::optional<ProjectId> project) const {
  ArchiveQuery query{.sort_by = ArchiveField::kEnded, .descending = true, .limit = most};
  if (project) query.filter.projects = {*project};
  std::vector<WorkloadId> ids;
  for (const ArchiveKey& key : OrLog(Read(query)).keys) ids.push_back(key.id);
  std::ranges::reverse(ids);
  return OrLog(Read(ids));
}

Result<std::vector<ArchiveUsage>> Archive::Sums(const ArchiveFilter& filter) const {
  if (store_ == nullptr) return std::vector<ArchiveUsage>{};
  return store_->SumArchive(filter);
}

Result<std::map<ProjectId, std::int64_t>> Archive::Sizes() const {
  if (store_ == nullptr) return std::map<ProjectId, std::int64_t>{};
  return store_->SizeArchive();
}

Result<std::vector<ArchiveCount>> Archive::Counts() const {
  if (store_ == nullptr) return std::vector<ArchiveCount>{};
  return store_->CountArchive();
}

}  // namespace yard::control

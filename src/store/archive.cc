#include "store/archive.h"

namespace yard::store {

Status Archive::MoveToArchive(std::span<const ArchiveItem>) {
  return Fail(Code::kUnsupported, "this store keeps no archive");
}

Result<std::vector<ArchivedWorkload>> Archive::ReadArchived(std::span<const WorkloadId>) {
  return std::vector<ArchivedWorkload>{};
}

Result<std::optional<WorkloadId>> Archive::FindArchived(ProjectId, std::string_view) {
  return std::nullopt;
}

Result<ArchivePage> Archive::ReadArchive(const ArchiveQuery&) {
  return ArchivePage{};
}

Status Archive::EachArchived(const ArchiveFilter&,
                             const std::function<Status(const ArchivedWorkload&)>&) {
  return {};
}

Result<std::vector<ArchiveUsage>> Archive::SumArchive(const ArchiveFilter&) {
  return std::vector<ArchiveUsage>{};
}

Result<bool> Archive::HasAttempt(AttemptId) {
  return false;
}

Result<std::map<ProjectId, std::int64_t>> Archive::SizeArchive() {
  return std::map<ProjectId, std::int64_t>{};
}

Result<std::vector<ArchiveCount>> Archive::CountArchive() {
  return std::vector<ArchiveCount>{};
}

}  // namespace yard::store

// Reads the archive over one connection.
//
// A page is read in one of two ways: along the index of its order, leaving out what does not match,
// or by its filter, sorted afterwards. The kept counters say which of them touches fewer rows.
// The caller holds a read transaction, so that an answer is one consistent view. One thread.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/sqlite/archive_body.h"
#include "store/sqlite/sqlite_db.h"
#include "store/store.h"

namespace yard::store {

// Nothing if it is not archived.
Result<std::optional<ArchiveBody>> ReadBody(Database& database, WorkloadId id);

// In the order of the ids; those that are not there are left out.
Result<std::vector<ArchivedWorkload>> ReadArchived(Database& database,
                                                   std::span<const WorkloadId> ids);
Result<std::optional<WorkloadId>> FindByName(Database& database, ProjectId project,
                                             std::string_view name);
Result<ArchivePage> ReadArchivePage(Database& database, const ArchiveQuery& query);
Status EachArchived(Database& database, const ArchiveFilter& filter,
                    const std::function<Status(const ArchivedWorkload&)>& visit);
Result<std::vector<ArchiveCount>> CountArchive(Database& database);
Result<std::map<ProjectId, std::int64_t>> SizeArchive(Database& database);
Result<std::vector<ArchiveUsage>> SumArchive(Database& database, const ArchiveFilter& filter);
Result<bool> HasAttempt(Database& database, AttemptId id);

}  // namespace yard::store

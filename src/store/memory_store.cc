#include "store/memory_store.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"
#include "store/memory_archive.h"
#include "wire/stored.h"

namespace yard::store {
namespace {

std::string_view ActionOf(const Change& change) {
  if (!change.before) return "create";
  return change.after ? "update" : "delete";
}

std::optional<std::string> Stored(const std::optional<Object>& object) {
  if (!object) return std::nullopt;
  return wire::HideSecrets(wire::EncodeStored(*object));
}

JournalRecord RecordOf(const Entry& entry, const Change& change, std::int64_t sequence) {
  const Object& object = change.after ? *change.after : *change.before;
  return {.sequence = sequence,
          .at = entry.at,
          .origin = entry.origin,
          .action = std::string(ActionOf(change)),
          .entity_type = std::string(KindOf(object)),
          .entity_id = IdOf(object),
          .entity_name = NameOf(object),
          .status = entry.origin.status,
          .before = Stored(change.before),
          .after = Stored(change.after)};
}

JournalRecord RecordOf(const Entry& entry, const Note& note, std::int64_t sequence) {
  return {.sequence = sequence,
          .at = entry.at,
          .origin = entry.origin,
          .action = note.action,
          .entity_type = note.entity_type,
          .entity_id = note.entity_id,
          .entity_name = note.entity_name,
          .status = note.status};
}

bool Matches(const JournalQuery& query, const JournalRecord& record) {
  auto is = [](const std::optional<std::string>& wanted, const std::string& text) {
    return !wanted || *wanted == text;
  };
  return is(query.entity_type, record.entity_type) && is(query.entity_id, record.entity_id) &&
         is(query.subject, record.origin.subject) && is(query.action, record.action) &&
         (!query.start || record.at >= *query.start) && (!query.end || record.at < *query.end) &&
         (!query.after_sequence || record.sequence > *query.after_sequence) &&
         !(query.for_people && IsBookkeeping(record.entity_type));
}

// Leaves the wanted page.
void CutOut(std::vector<JournalRecord>& records, const JournalQuery& query) {
  std::size_t begin = std::min(query.offset, records.size());
  records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(begin));
  if (records.size() > query.limit) records.resize(query.limit);
}

}  // namespace

Status MemoryStore::Load(const std::function<Status(Object)>& take) {
  std::lock_guard lock(mutex_);
  std::map<std::pair<std::string, std::string>, Object> live;
  for (const Entry& entry : entries_) {
    for (const Change& change : entry.changes) {
      const Object& any = change.after ? *change.after : *change.before;
      std::pair key{std::string(KindOf(any)), IdOf(any)};
      if (change.after) {
        live.insert_or_assign(key, *change.after);
      } else {
        live.erase(key);
      }
    }
  }
  for (const auto& [id, item] : archive_) {
    live.erase({"workload", IdText(id)});
    for (const Ptr<Attempt>& attempt : item.past.attempts) {
      live.erase({"attempt", IdText(attempt->id)});
    }
  }
  for (auto& [key, object] : live) YARD_TRY(take(object));
  return {};
}

Result<std::int64_t> MemoryStore::Commit(std::span<const Entry> entries) {
  std::lock_guard lock(mutex_);
  if (fail_with) return Fail(*fail_with);
  if (fail_after && (*fail_after)-- <= 0) return Fail(Code::kUnavailable, "the store is gone");
  for (const Entry& entry : entries) {
    for (WorkloadId id : entry.recalled) YARD_CHECK(archive_.erase(id) == 1);
    entries_.push_back(entry);
    sequence_ += static_cast<std::int64_t>(entry.changes.size() + entry.notes.size());
  }
  return sequence_;
}

Result<JournalPage> MemoryStore::ReadJournal(const JournalQuery& query) {
  std::lock_guard lock(mutex_);
  JournalPage page;
  std::int64_t sequence = 0;
  auto take = [&](JournalRecord record) {
    if (Matches(query, record)) page.records.push_back(std::move(record));
  };
  for (const Entry& entry : entries_) {
    for (const Change& change : entry.changes) take(RecordOf(entry, change, ++sequence));
    for (const Note& note : entry.notes) take(RecordOf(entry, note, ++sequence));
  }
  page.total = static_cast<std::int64_t>(page.records.size());
  if (query.newest_first) std::ranges::reverse(page.records);
  CutOut(page.records, query);
  return page;
}

Result<std::vector<WorkloadEvent>> MemoryStore::ReadEvents(WorkloadId workload, std::size_t offset,
                                                           std::size_t limit) {
  std::lock_guard lock(mutex_);
  std::vector<WorkloadEvent> events;
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    for (auto event = entry->events.rbegin(); event != entry->events.rend(); ++event) {
      if (event->workload != workload) continue;
      if (offset > 0) {
        --offset;
      } else if (events.size() < limit) {
        events.push_back(*event);
      }
    }
  }
  return events;
}

Status MemoryStore::MoveToArchive(std::span<const ArchiveItem> items) {
  std::lock_guard lock(mutex_);
  if (fail_with) return Fail(*fail_with);
  for (const ArchiveItem& item : items) archive_.emplace(item.past.workload->id, item);
  return {};
}

Result<std::vector<ArchivedWorkload>> MemoryStore::ReadArchived(std::span<const WorkloadId> ids) {
  std::lock_guard lock(mutex_);
  std::vector<ArchivedWorkload> found;
  for (WorkloadId id : ids) {
    if (auto at = archive_.find(id); at != archive_.end()) found.push_back(at->second.past);
  }
  return found;
}

Result<std::optional<WorkloadId>> MemoryStore::FindArchived(ProjectId project,
                                                            std::string_view name) {
  std::lock_guard lock(mutex_);
  for (const auto& [id, item] : archive_) {
    const Workload& workload = *item.past.workload;
    if (workload.project == project && workload.name == name && !workload.deleted_at) return id;
  }
  return std::nullopt;
}

std::vector<ArchiveItem> MemoryStore::Matching(const ArchiveFilter& filter) const {
  std::lock_guard lock(mutex_);
  std::vector<ArchiveItem> found;
  for (const auto& [id, item] : archive_) {
    if (Matches(filter, item)) found.push_back(item);
  }
  return found;
}

Result<ArchivePage> MemoryStore::ReadArchive(const ArchiveQuery& query) {
  ArchivePage page;
  for (const ArchiveItem& item : Matching(query.filter)) {
    const Workload& workload = *item.past.workload;
    page.keys.push_back({.id = workload.id, .key = ValueOf(workload, query.sort_by)});
  }
  page.total = std::ssize(page.keys);
  std::ranges::sort(page.keys, [&](const ArchiveKey& a, const ArchiveKey& b) {
    const auto order = std::pair(a.key, a.id) <=> std::pair(b.key, b.id);
    return query.descending ? order > 0 : order < 0;
  });
  const auto skipped = static_cast<std::ptrdiff_t>(std::min(query.offset, page.keys.size()));
  page.keys.erase(page.keys.begin(), page.keys.begin() + skipped);
  if (page.keys.size() > query.limit) page.keys.resize(query.limit);
  return page;
}

Status MemoryStore::EachArchived(const ArchiveFilter& filter,
                                 const std::function<Status(const ArchivedWorkload&)>& visit) {
  for (const ArchiveItem& item : Matching(filter)) YARD_TRY(visit(item.past));
  return {};
}

Result<std::vector<ArchiveCount>> MemoryStore::CountArchive() {
  std::vector<ArchiveCount> counts;
  for (const ArchiveItem& item : Matching({})) {
    const Workload& workload = *item.past.workload;
    counts.push_back({.cluster = workload.cluster,
                      .department = workload.department,
                      .project = workload.project,
                      .type = std::string(Name(workload.type)),
                      .phase = std::string(Name(workload.phase())),
                      .deleted = workload.deleted_at.has_value(),
                      .workloads = 1});
  }
  return counts;
}

Result<std::map<ProjectId, std::int64_t>> MemoryStore::SizeArchive() {
  std::map<ProjectId, std::int64_t> sizes;
  for (const ArchiveItem& item : Matching({})) {
    sizes[item.past.workload->project] += std::ssize(wire::EncodeStored(item.past.workload));
  }
  return sizes;
}

Result<bool> MemoryStore::HasAttempt(AttemptId id) {
  for (const ArchiveItem& item : Matching({})) {
    for (const Ptr<Attempt>& attempt : item.past.attempts) {
      if (attempt->id == id) return true;
    }
  }
  return false;
}

Result<Pruned> MemoryStore::Prune(Time) {
  return Pruned::kAll;
}

Status MemoryStore::Backup(const std::string&) {
  return Fail(Code::kUnsupported, "a store without a disk cannot be backed up");
}

}  // namespace yard::store

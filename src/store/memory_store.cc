#include "store/memory_store.h"

#include <algorithm>
#include <map>
#include <utility>

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
  for (auto& [key, object] : live) YARD_TRY(take(object));
  return {};
}

Result<std::int64_t> MemoryStore::Commit(std::span<const Entry> entries) {
  std::lock_guard lock(mutex_);
  if (fail_with) return Fail(*fail_with);
  if (fail_after && (*fail_after)-- <= 0) return Fail(Code::kUnavailable, "the store is gone");
  for (const Entry& entry : entries) {
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

Result<Pruned> MemoryStore::Prune(Time) {
  return Pruned::kAll;
}

Status MemoryStore::Backup(const std::string&) {
  return Fail(Code::kUnsupported, "a store without a disk cannot be backed up");
}

}  // namespace yard::store

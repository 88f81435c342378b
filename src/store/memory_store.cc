#include "store/memory_store.h"

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
          .before = Stored(change.before),
          .after = Stored(change.after)};
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
  for (const Entry& entry : entries_) {
    for (const Change& change : entry.changes) {
      JournalRecord record = RecordOf(entry, change, ++sequence);
      if (query.entity_id && *query.entity_id != record.entity_id) continue;
      if (query.after_sequence && record.sequence <= *query.after_sequence) continue;
      page.records.push_back(std::move(record));
    }
    sequence += static_cast<std::int64_t>(entry.notes.size());
  }
  page.total = static_cast<std::int64_t>(page.records.size());
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

Status MemoryStore::Prune(Time) {
  return {};
}

Status MemoryStore::Backup(const std::string&) {
  return Fail(Code::kUnsupported, "a store without a disk cannot be backed up");
}

}  // namespace yard::store

#include "control/study/journals.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {
namespace {

// All of it is in memory.
constexpr std::size_t kMostBytes = 64U << 20;      // of one journal
constexpr std::size_t kMostTogether = 256U << 20;  // of all journals of a project
constexpr std::size_t kMostJournals = 100;         // of a project
constexpr std::size_t kEntryBytes = 64;            // that an entry takes beside its text
constexpr std::size_t kAppendBytes = 128;          // and an append with its id
constexpr std::size_t kPageBytes = 2U << 20;

std::string RecordId(const JournalKey& key, std::size_t number) {
  return fmt::format("{}/{}/{:012}", key.project.value, key.name, number);
}

std::optional<JournalKey> KeyOf(std::string_view id) {
  std::vector<std::string_view> parts = Split(id, '/');
  if (parts.size() != 3) return std::nullopt;
  std::optional<std::int64_t> project = ParseInt(parts[0]);
  if (!project) return std::nullopt;
  return JournalKey{ProjectId{*project}, std::string(parts[1])};
}

// In memory, so that nothing is free of charge.
std::size_t SizeOf(const JournalAppend& append) {
  std::size_t size = append.entries.size() * kEntryBytes;
  for (const std::string& entry : append.entries) size += entry.size();
  return append.entries.empty() ? 0 : size + kAppendBytes;
}

// What a journal would hold.
struct Held {
  std::size_t entries = 0;
  std::size_t bytes = 0;
  bool known = false;  // this append is in it
};

// What the other journals of the project would hold.
struct Others {
  std::set<std::string> names;
  std::size_t bytes = 0;
};

void Follow(const JournalChange& change, const JournalAppend& append, Others& others) {
  const auto* other = std::get_if<JournalAppend>(&change);
  if (other == nullptr || other->key == append.key || other->key.project != append.key.project)
    return;
  others.names.insert(other->key.name);
  others.bytes += SizeOf(*other);
}

Status CheckRoom(const JournalAppend& wanted, const Held& held, const Others& others) {
  const std::size_t bytes = held.bytes + SizeOf(wanted);
  if (held.entries == 0 && others.names.size() >= kMostJournals) {
    return Fail(Code::kPrecondition,
                fmt::format("the project has {} journals", others.names.size()),
                "delete one that nobody needs");
  }
  if (bytes > kMostBytes) {
    return Fail(Code::kPrecondition,
                fmt::format("journal '{}' is full: it holds {} bytes", wanted.key.name, held.bytes),
                "go on in another journal");
  }
  if (others.bytes + bytes <= kMostTogether) return {};
  return Fail(Code::kPrecondition,
              fmt::format("the journals of the project are full: they hold {} bytes",
                          others.bytes + held.bytes),
              "delete one that nobody needs");
}

void Follow(const JournalChange& change, const JournalAppend& append, Held& held) {
  if (const auto* removal = std::get_if<JournalRemoval>(&change)) {
    if (removal->key == append.key) held = {};
    return;
  }
  const auto& other = std::get<JournalAppend>(change);
  if (other.key != append.key) return;
  held.entries += other.entries.size();
  held.bytes += SizeOf(other);
  held.known = held.known || other.id == append.id;
}

std::vector<store::RecordChange> RowsAt(const JournalAppend& append, std::size_t first) {
  std::vector<store::RecordChange> rows;
  rows.reserve(append.entries.size());
  for (std::size_t i = 0; i < append.entries.size(); ++i) {
    rows.push_back({.kind = std::string(kJournalKind),
                    .id = RecordId(append.key, first + i),
                    .body = fmt::format("{}\n{}", append.id, append.entries[i])});
  }
  return rows;
}

std::vector<store::RecordChange> RowsGone(const JournalKey& key, std::size_t count) {
  std::vector<store::RecordChange> rows;
  rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows.push_back(
        {.kind = std::string(kJournalKind), .id = RecordId(key, i), .body = std::nullopt});
  }
  return rows;
}

}  // namespace

Status StudyJournals::Take(std::string_view id, std::string_view body) {
  std::optional<JournalKey> key = KeyOf(id);
  const std::size_t end = body.find('\n');
  if (!key || end == body.npos) {
    return Fail(Code::kInternal, fmt::format("the record of journal entry {} is damaged", id));
  }
  Add({.key = *std::move(key),
       .id = std::string(body.substr(0, end)),
       .entries = {std::string(body.substr(end + 1))}});
  return {};
}

void StudyJournals::Add(const JournalAppend& append) {
  if (append.entries.empty()) return;
  std::lock_guard lock(mutex_);
  Journal& journal = journals_[append.key];
  for (const std::string& entry : append.entries) {
    journal.entries.push_back(std::make_shared<const std::string>(entry));
  }
  journal.bytes += SizeOf(append);
  // From the disk an append comes entry by entry.
  if (!journal.ids.insert(append.id).second) journal.bytes -= kAppendBytes;
}

Result<std::vector<store::RecordChange>> StudyJournals::RowsOf(
    const JournalChange& change, const std::vector<JournalChange>& before) const {
  const auto* append = std::get_if<JournalAppend>(&change);
  JournalAppend removal;  // the same way through what comes before
  if (append == nullptr) removal.key = std::get<JournalRemoval>(change).key;
  const JournalAppend& wanted = append == nullptr ? removal : *append;
  std::lock_guard lock(mutex_);
  Held held;
  Others others;
  for (const auto& [key, journal] : journals_) {
    if (key == wanted.key || key.project != wanted.key.project) continue;
    others.names.insert(key.name);
    others.bytes += journal.bytes;
  }
  if (auto found = journals_.find(wanted.key); found != journals_.end()) {
    const Journal& journal = found->second;
    held = {journal.entries.size(), journal.bytes, journal.ids.contains(wanted.id)};
  }
  for (const JournalChange& other : before) {
    Follow(other, wanted, held);
    Follow(other, wanted, others);
  }
  if (append == nullptr) return RowsGone(wanted.key, held.entries);
  if (held.known) return std::vector<store::RecordChange>();
  YARD_TRY(CheckRoom(wanted, held, others));
  return RowsAt(wanted, held.entries);
}

void StudyJournals::Apply(const JournalChange& change) {
  if (const auto* append = std::get_if<JournalAppend>(&change)) return Add(*append);
  std::lock_guard lock(mutex_);
  journals_.erase(std::get<JournalRemoval>(change).key);
}

JournalPage StudyJournals::Read(const JournalKey& key, std::size_t from) const {
  std::lock_guard lock(mutex_);
  JournalPage page;
  auto found = journals_.find(key);
  if (found == journals_.end()) return page;
  const auto& entries = found->second.entries;
  page.total = entries.size();
  page.next = std::min(from, entries.size());
  for (std::size_t bytes = 0; page.next < entries.size() && bytes < kPageBytes; ++page.next) {
    page.entries.push_back(entries[page.next]);
    bytes += entries[page.next]->size();
  }
  return page;
}

std::vector<JournalListing> StudyJournals::List() const {
  std::lock_guard lock(mutex_);
  std::vector<JournalListing> all;
  all.reserve(journals_.size());
  for (const auto& [key, journal] : journals_) {
    all.push_back({key, journal.entries.size(), journal.bytes});
  }
  return all;
}

}  // namespace yard::control

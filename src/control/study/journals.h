// Journals of studies whose search runs in other programs: named lists of entries in a project,
// which only grow. Optuna's journal storage keeps its studies so; the entries are its own and
// nothing here reads them.
//
// An append has an id; one that is sent again changes nothing. What is here is on disk (Studies
// writes first). Thread-safe.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/ids.h"
#include "store/records.h"

namespace yard::control {

struct JournalKey {
  ProjectId project;
  std::string name;
  friend auto operator<=>(const JournalKey&, const JournalKey&) = default;
};

struct JournalAppend {
  JournalKey key;
  std::string id;
  std::vector<std::string> entries;
};
struct JournalRemoval {
  JournalKey key;
};
using JournalChange = std::variant<JournalAppend, JournalRemoval>;

struct JournalPage {
  std::vector<std::shared_ptr<const std::string>> entries;
  std::size_t next = 0;   // read on from here
  std::size_t total = 0;  // of the journal
};

struct JournalListing {
  JournalKey key;
  std::size_t entries = 0;
  std::size_t bytes = 0;
};

inline constexpr std::string_view kJournalKind = "journal";

class StudyJournals {
 public:
  // A record that is there at the start. Records come in the order of their ids.
  Status Take(std::string_view id, std::string_view body);

  // The records of a change that follows `before`, which are not applied yet; none if it was made
  // before. kPrecondition if the journal or the project is full.
  Result<std::vector<store::RecordChange>> RowsOf(const JournalChange& change,
                                                  const std::vector<JournalChange>& before) const;
  // Once its records are on disk.
  void Apply(const JournalChange& change);

  // From that entry on, as many as are sensible in one answer. One that is not there is empty.
  JournalPage Read(const JournalKey& key, std::size_t from) const;
  std::vector<JournalListing> List() const;

 private:
  struct Journal {
    std::vector<std::shared_ptr<const std::string>> entries;
    std::unordered_set<std::string> ids;
    std::size_t bytes = 0;
  };
  void Add(const JournalAppend& append);

  mutable std::mutex mutex_;
  std::map<JournalKey, Journal> journals_;  // guarded by mutex_
};

}  // namespace yard::control

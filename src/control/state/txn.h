// One command's view of the state: reads see its own writes, and all of it can be undone.
//
// Lives on the reactor thread for the duration of one command. What it collected becomes one
// journal entry if the command succeeds; otherwise Undo restores the state exactly.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "control/auth/access.h"
#include "control/state/state.h"
#include "model/journal.h"

namespace yard::control {

class Txn {
 public:
  Txn(State& state, Principal who, Time now, Random& random)
      : state_(state), who_(std::move(who)), now_(now), random_(random) {}

  const State& state() const { return state_; }
  const Principal& who() const { return who_; }
  Time now() const { return now_; }
  Random& random() { return random_; }

  // Puts a new object or replaces the one of the same id.
  template <class T>
  Ptr<T> Put(T value) {
    auto after = std::make_shared<const T>(std::move(value));
    Ptr<T> before = state_.Find<T>(after->id);
    Record({before ? std::optional<Object>(before) : std::nullopt, after});
    return after;
  }
  // The object must be there.
  template <class T>
  void Erase(const typename T::Id& id) {
    Record({state_.Find<T>(id), std::nullopt});
  }

  // Brings archived work back with its attempts, so that it can be changed; work that is in memory
  // or unknown stays as it is.
  void Recall(WorkloadId id);

  // The check every command makes before it changes anything.
  Status Require(Resource resource, Action action, const ScopePath& where);
  // For what belongs to no scope, such as users: the permission at any scope will do.
  Status RequireSomewhere(Resource resource, Action action);
  // Whether one of the two was called: a command that changes something without it is a bug.
  bool checked() const { return checked_; }

  Uuid NewUuid() { return MakeUuid(now_, random_); }
  // The next number of a named sequence; never given twice.
  std::int64_t Next(std::string_view sequence);
  Stamp NewStamp() const { return {now_, who_.id, now_, who_.id}; }
  void Touch(Stamp& stamp) const {
    stamp.updated_at = now_;
    stamp.updated_by = who_.id;
  }
  void Emit(WorkloadEvent event) { events_.push_back(std::move(event)); }
  void Add(Note note) { notes_.push_back(std::move(note)); }

  const std::vector<Change>& changes() const { return changes_; }
  const std::vector<WorkloadEvent>& events() const { return events_; }

  void Undo();
  bool empty() const {
    return changes_.empty() && events_.empty() && notes_.empty() && recalled_.empty();
  }
  std::vector<Change> TakeChanges() { return std::move(changes_); }
  std::vector<WorkloadEvent> TakeEvents() { return std::move(events_); }
  std::vector<Note> TakeNotes() { return std::move(notes_); }
  std::vector<WorkloadId> recalled() const;

 private:
  void Record(Change change);

  State& state_;
  Principal who_;
  Time now_;
  Random& random_;
  std::vector<Change> changes_;
  std::vector<WorkloadEvent> events_;
  std::vector<Note> notes_;
  std::vector<ArchivedWorkload> recalled_;
  bool checked_ = false;
};

}  // namespace yard::control

#include "control/state/txn.h"

#include <variant>

#include "base/check.h"

namespace yard::control {
namespace {

// An attempt gets one end, and nothing about it changes afterwards.
bool ChangesWhatHasEnded(const Change& change) {
  if (!change.before || !change.after) return false;
  const auto* attempt = std::get_if<Ptr<Attempt>>(&*change.before);
  return attempt != nullptr && (*attempt)->end;
}

}  // namespace

void Txn::Record(Change change) {
  YARD_CHECK(!ChangesWhatHasEnded(change));
  state_.Apply(change);
  changes_.push_back(std::move(change));
}

void Txn::Recall(WorkloadId id) {
  if (state_.Find<Workload>(id)) return;
  std::optional<ArchivedWorkload> past = state_.FindArchived(id);
  if (!past) return;
  state_.Unshelve(*past);
  recalled_.push_back(*std::move(past));
}

std::vector<WorkloadId> Txn::recalled() const {
  std::vector<WorkloadId> ids;
  for (const ArchivedWorkload& past : recalled_) ids.push_back(past.workload->id);
  return ids;
}

Status Txn::Require(Resource resource, Action action, const ScopePath& where) {
  checked_ = true;
  return Authorize(state_, who_, resource, action, where);
}

Status Txn::RequireSomewhere(Resource resource, Action action) {
  checked_ = true;
  if (Access(state_, who_).MaySomewhere(resource, action)) return {};
  return Fail(Code::kForbidden, who_.id + " may not do this",
              "ask an administrator for a role that allows it");
}

std::int64_t Txn::Next(std::string_view sequence) {
  Counter counter{.id = std::string(sequence)};
  if (Ptr<Counter> found = state_.Find<Counter>(counter.id)) counter = *found;
  std::int64_t number = counter.next++;
  Put(counter);
  return number;
}

void Txn::Undo() {
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    state_.Apply({change->after, change->before});
  }
  for (auto past = recalled_.rbegin(); past != recalled_.rend(); ++past) state_.Shelve(*past);
  recalled_.clear();
  changes_.clear();
  events_.clear();
  notes_.clear();
}

}  // namespace yard::control

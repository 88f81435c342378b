#include "control/state/writer.h"

#include <utility>

#include "base/log.h"
#include "control/notify/events.h"
#include "control/state/retention.h"
#include "control/usage/sum.h"

namespace yard::control {
namespace {

// The store numbers rows in order: of each entry first the changes, then the notes.
std::vector<Notice> NoticesOf(std::vector<store::Entry> entries, std::int64_t last) {
  std::int64_t sequence = last;
  for (const store::Entry& entry : entries) {
    sequence -= static_cast<std::int64_t>(entry.changes.size() + entry.notes.size());
  }
  std::vector<Notice> notices;
  for (store::Entry& entry : entries) {
    for (Change& change : entry.changes) {
      notices.push_back({++sequence, entry.at, std::move(change)});
    }
    sequence += static_cast<std::int64_t>(entry.notes.size());
  }
  return notices;
}

UsageTotals TotalsOf(const std::vector<Ptr<Attempt>>& attempts) {
  UsageSum sum;
  for (const Ptr<Attempt>& attempt : attempts) {
    const Time end = attempt->end ? attempt->end->at : attempt->placed_at;
    sum +=
        UsageWithin(*attempt, attempt->used.value_or(AttemptUse{}), {attempt->placed_at, end}, end);
  }
  return {.attempts = sum.attempts,
          .time = sum.time,
          .cpu = sum.cpu,
          .held = sum.held,
          .used = sum.used,
          .idle = sum.idle};
}

}  // namespace

Writer::Writer(store::Store& store, const Clock& clock, Random& random)
    : store_(store), clock_(clock), ids_(random) {}

Status Writer::Load() {
  YARD_TRY(store_.Load([&](Object object) -> Status {
    state_.Apply({std::nullopt, std::move(object)});
    return {};
  }));
  if (!store_.archives()) return {};
  YARD_ASSIGN(std::vector<ArchiveCount> counts, store_.CountArchive());
  state_.Use(Archive(store_), counts);
  return {};
}

Result<std::size_t> Writer::MoveToArchive(Time before, std::size_t most) {
  std::vector<store::ArchiveItem> items;
  if (store_.archives()) {
    state_.EachSettled(before, [&](const Workload& workload) {
      if (state_.OpenAttempt(workload)) return true;
      std::vector<Ptr<Attempt>> attempts = state_.AttemptsOf(workload.id);
      const UsageTotals used = TotalsOf(attempts);
      items.push_back({.past = {state_.Find<Workload>(workload.id), std::move(attempts)},
                       .expires = ExpiryOf(workload),
                       .used = used});
      return items.size() < most;
    });
  }
  if (items.empty()) return 0;
  YARD_TRY(store_.MoveToArchive(items));
  for (const store::ArchiveItem& item : items) state_.Shelve(item.past);
  return items.size();
}

Status Writer::RunOne(Job& job, std::vector<store::Entry>& entries) {
  Txn txn(state_, job.who, clock_.Now(), ids_);
  Status status = job.command(txn);
  if (!status) {
    txn.Undo();
    return status;
  }
  if (!txn.empty()) {
    Announce(txn);
    entries.push_back({.at = txn.now(),
                       .origin = std::move(job.origin),
                       .changes = txn.TakeChanges(),
                       .events = txn.TakeEvents(),
                       .notes = txn.TakeNotes(),
                       .recalled = txn.recalled()});
  }
  return {};
}

Writer::Batch Writer::Run(std::span<Job> jobs) {
  State before = state_;
  std::vector<store::Entry> entries;
  Batch batch;
  batch.outcomes.reserve(jobs.size());
  for (Job& job : jobs) batch.outcomes.push_back(RunOne(job, entries));
  if (entries.empty()) return batch;
  Result<std::int64_t> committed = store_.Commit(entries);
  if (committed) {
    batch.commit = Batch::Commit::kDone;
    state_.Settle();
    batch.notices = NoticesOf(std::move(entries), *committed);
    return batch;
  }
  batch.commit = Batch::Commit::kFailed;
  state_ = std::move(before);
  log::Error("commit failed; the batch was taken back", {{"error", committed.error().message}});
  // Also those that failed: they may have seen what was taken back.
  for (Status& outcome : batch.outcomes) outcome = Fail(committed.error());
  return batch;
}

}  // namespace yard::control

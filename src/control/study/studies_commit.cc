// The second half of a round: what engines order is made durable, shown, and carried out.
#include <utility>

#include "base/log.h"
#include "base/uuid.h"
#include "control/study/records.h"
#include "control/study/studies.h"
#include "control/study/work.h"

namespace yard::control {
namespace {

constexpr Micros kAfterFailedCommit = Seconds(1);

}  // namespace

void Studies::StepAll(Round& round) {
  const NewWorkloadId new_id = [&] {
    return WorkloadId{MakeUuid(round.now, parts_.service.random())};
  };
  for (StudyId id : round.dirty) {
    auto room = rooms_.find(id);
    if (room == rooms_.end()) continue;
    StudyOrders orders = room->second.engine.Step(round.now, new_id);
    room->second.wake = orders.wake;
    AddRows(round, id, room->second, orders);
    round.orders.emplace_back(id, std::move(orders));
  }
}

void Studies::AddRows(Round& round, StudyId /*id*/, const Room& room,
                      const StudyOrders& orders) const {
  const StudyEngine& engine = room.engine;
  if (orders.study_changed) round.rows.push_back(RowOf(engine.study()));
  for (std::size_t trial : orders.changed) {
    round.rows.push_back(RowOf(engine.study(), engine.trials()[trial]));
  }
}

void Studies::Commit(Round& round) {
  Status written = round.rows.empty() ? Status{} : parts_.records->Write(round.rows);
  if (written) {
    Publish(round);
    for (const auto& [id, orders] : round.orders) CarryOut(rooms_.at(id), orders);
  } else {
    log::Warning("changes of studies could not be written down",
                 {{"error", written.error().message}});
    TakeBack(round);
  }
  for (auto& [done, status] : round.answers) done(status ? written : std::move(status));
}

void Studies::Publish(const Round& round) {
  for (const auto& [id, orders] : round.orders) {
    const StudyEngine& engine = rooms_.at(id).engine;
    SharedStudy before = Find(id);
    StudyView view{.study = engine.study(), .trials = {}};
    if (before) view.trials = before->trials;
    view.trials.resize(engine.trials().size());
    for (std::size_t trial : orders.changed) {
      const StudyTrial& now = engine.trials()[trial];
      view.trials[trial] = std::make_shared<const StudyTrial>(now);
      if (!now.workload) continue;
      if (now.phase == TrialPhase::kRunning) {
        inbox_->Watch(*now.workload, id, trial);
      } else {
        inbox_->Unwatch(*now.workload);
        rooms_.at(id).logs.erase(trial);
        rooms_.at(id).runs.Forget(*now.workload);
      }
    }
    std::lock_guard lock(mutex_);
    views_[id] = std::make_shared<const StudyView>(std::move(view));
  }
  for (const JournalChange& change : round.journals) journals_.Apply(change);
  std::lock_guard lock(mutex_);
  for (StudyId id : round.removed) views_.erase(id);
}

// The engines of the round are thrown away; those of studies that exist are made anew from what
// readers see, which is what is on disk.
void Studies::TakeBack(const Round& round) {
  for (StudyId id : round.dirty) rooms_.erase(id);
  for (StudyId id : round.dirty) {
    if (!Find(id)) continue;
    Result<Room*> room = RoomOf(id);
    if (!room) continue;
    // Everything is looked at again, a moment later.
    (*room)->looked_at = round.now;
    (*room)->wake = round.now + kAfterFailedCommit;
  }
}

void Studies::CarryOut(const Room& room, const StudyOrders& orders) {
  const StudyEngine& engine = room.engine;
  for (std::size_t trial : orders.submit) Submit(engine.study(), engine.trials()[trial]);
  for (std::size_t trial : orders.cancel) Cancel(engine.study(), engine.trials()[trial]);
}

void Studies::Submit(const Study& study, const StudyTrial& trial) {
  Snapshot state = parts_.service.Read();
  const auto index = static_cast<std::size_t>(trial.number);
  Result<Principal> owner = OwnerOf(*state, study);
  Result<WorkloadDraft> draft = owner ? DraftOf(*state, study, trial) : Fail(owner.error());
  if (!draft) return inbox_->Put(SubmitAnswer{study.id, index, Fail(draft.error())});
  parts_.service.Write(
      *std::move(owner), {},
      [draft = *std::move(draft), id = *trial.workload](Txn& txn) mutable {
        return SubmitTrial(txn, std::move(draft), id);
      },
      [inbox = inbox_, id = study.id, index](Status status) {
        inbox->Put(SubmitAnswer{id, index, std::move(status)});
      });
}

void Studies::Cancel(const Study& study, const StudyTrial& trial) {
  if (!trial.workload) return;
  parts_.service.Write(
      SystemPrincipal(), {}, [id = *trial.workload](Txn& txn) { return CancelTrial(txn, id); },
      [name = study.name](const Status& status) {
        if (status) return;
        log::Warning("a trial could not be cancelled",
                     {{"study", name}, {"error", status.error().message}});
      });
}

}  // namespace yard::control

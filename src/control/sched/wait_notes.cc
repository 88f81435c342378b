#include "control/sched/wait_notes.h"

#include "control/dispatch/reason_words.h"
#include "sched/explain/waiting.h"

namespace yard::control {
namespace {

std::string UnitOf(const sched::Reason& reason, const sched::Snapshot& snapshot) {
  const bool bound = reason.cause == sched::Cause::kOverLimit ||
                     reason.cause == sched::Cause::kQueueBlocked ||
                     reason.cause == sched::Cause::kNonPreemptibleOverQuota;
  if (!bound || reason.queue == sched::kNone<sched::QueueIndex>) return {};
  switch (snapshot.queues[static_cast<std::size_t>(reason.queue.value)].level) {
    case sched::QueueLevel::kProject:
      return "PROJECT";
    case sched::QueueLevel::kDepartment:
      return "DEPARTMENT";
    case sched::QueueLevel::kTenant:
    case sched::QueueLevel::kUser:
      return {};
  }
  return {};
}

WaitCause CauseOf(const sched::Reason& reason, const sched::Snapshot& snapshot) {
  WaitCause cause{.reason = ReasonWord(reason.cause),
                  .message = PublicSentence(reason, snapshot),
                  .pool = {},
                  .unit = UnitOf(reason, snapshot)};
  if (reason.pool != sched::kNone<sched::PoolIndex>) {
    cause.pool = snapshot.pools[static_cast<std::size_t>(reason.pool.value)].name;
  }
  return cause;
}

}  // namespace

WaitNote NoteOf(const std::vector<sched::Reason>& reasons, sched::Outlook outlook,
                const sched::Snapshot& snapshot) {
  WaitNote note{
      .reason = {}, .message = {}, .never = outlook == sched::Outlook::kNever, .causes = {}};
  for (const sched::Reason& reason : reasons) note.causes.push_back(CauseOf(reason, snapshot));
  if (note.causes.empty()) return note;
  note.reason = note.causes.front().reason;
  note.message = note.causes.front().message;
  return note;
}

WaitNote NoteOf(const GateAnswer& gate) {
  WaitNote note{
      .reason = gate.reason, .message = gate.message, .never = false, .causes = gate.causes};
  if (note.causes.empty()) note.causes.push_back({note.reason, note.message, {}, {}});
  return note;
}

WaitBoard::Notes NotesOf(SchedView& view) {
  WaitBoard::Notes notes;
  const sched::Snapshot& snapshot = view.scheduler().snapshot();
  for (const sched::WaitingLine& line : sched::ReasonsOfWaiting(view.scheduler().core())) {
    auto note = std::make_shared<const WaitNote>(
        NoteOf(line.binding.reasons, line.binding.outlook, snapshot));
    for (sched::WorkloadIndex index : line.workloads) notes.emplace(view.IdOf(index), note);
  }
  for (const auto& [id, gate] : view.gated()) {
    notes.insert_or_assign(id, std::make_shared<const WaitNote>(NoteOf(gate)));
  }
  return notes;
}

}  // namespace yard::control

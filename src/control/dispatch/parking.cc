#include "control/dispatch/parking.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.h"
#include "control/commands/workloads.h"

namespace yard::control {
namespace {

// Whether the two have a GPU in common.
bool Meets(const TaskPlace& a, const TaskPlace& b) {
  return a.node == b.node && std::ranges::find_first_of(a.gpus, b.gpus) != a.gpus.end();
}

// Those who hold a part of its GPUs now, as its owner may know them.
std::vector<std::string> Holders(const State& state, const Workload& workload,
                                 const TaskPlace& place) {
  std::vector<std::string> names;
  state.EachOpenAttempt([&](const Ptr<Attempt>& other) {
    bool meets = std::ranges::any_of(other->places, [&](auto& at) { return Meets(place, at); });
    Ptr<Workload> owner = state.Find<Workload>(other->workload);
    if (!meets || !HoldsGpus(*other) || !owner) return;
    bool same = owner->project == workload.project;
    std::string name = same ? fmt::format("'{}'", owner->name) : "work of another project";
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  });
  return names;
}

std::string Size(Mebibytes memory) {
  constexpr std::int64_t kGibibyte = 1024;
  if (memory.value < kGibibyte) return fmt::format("{} MiB", memory.value);
  return fmt::format("{:.1f} GiB", static_cast<double>(memory.value) / kGibibyte);
}

std::string Words(const Error& error) {
  return error.details.empty() ? error.message : error.message + "; " + error.details;
}

void Note(const Status& moved) {
  if (!moved) log::Error("a workload cannot follow its memory", {{"error", moved.error().message}});
}

void Follow(Txn& txn, Workload& workload, const Transition& transition) {
  Note(MoveWorkload(txn, workload, transition));
}

void Leave(Txn& txn, Workload& workload, const Moved& moved) {
  if (moved.outcome) {
    Follow(txn, workload, {Life::kParked, "", ParkedSentence(moved.memory), txn.now()});
    workload.desired = DesiredPhase::kStopped;
    return;
  }
  Note(Move(workload, {Life::kRunning, "", "Running.", txn.now()}));
  if (moved.outcome.error().code == Code::kNotFound) return;  // it has just ended
  txn.Emit(
      {.id = txn.NewUuid(),
       .workload = workload.id,
       .at = txn.now(),
       .type = "Warning",
       .reason = "ParkFailed",
       .message = fmt::format("It goes on running on its GPUs: {}.", Words(moved.outcome.error())),
       .source = "gpuyard"});
}

// Nobody knows yet where its memory is: the engine is asked again.
void KeepMoving(Txn& txn, Workload workload, const Error& error) {
  std::string message =
      fmt::format("Whether its GPU memory was moved is not known yet: {}.", Words(error));
  if (workload.phase_message == message) return;
  workload.phase_message = std::move(message);
  txn.Put(std::move(workload));
}

void Return(Txn& txn, Workload& workload, const Moved& moved) {
  if (moved.outcome) {
    return Follow(txn, workload, {Life::kRunning, "", "Running.", txn.now()});
  }
  Follow(txn, workload,
         {Life::kWaiting, std::string(kWaitsForItsGpus),
          fmt::format("Could not come back to its GPUs yet: {}.", Words(moved.outcome.error())),
          txn.now()});
}

}  // namespace

bool WaitsForItsGpus(const State& state, const Workload& workload) {
  if (workload.phase() != Phase::kPending || workload.desired != DesiredPhase::kRunning)
    return false;
  Ptr<Attempt> open = workload.deleted_at ? nullptr : state.OpenAttempt(workload);
  return open && !HoldsGpus(*open) && !open->stop;
}

std::string WaitSentence(const State& state, const Workload& workload) {
  Ptr<Attempt> open = state.OpenAttempt(workload);
  if (!open || open->places.empty()) return "Waits for its GPUs.";
  const TaskPlace& place = open->places.front();
  std::vector<std::string> holders = Holders(state, workload, place);
  const bool one = place.gpus.size() == 1;
  std::string which = fmt::format("Waits for {} {} of {}", one ? "GPU" : "GPUs",
                                  fmt::join(place.gpus, ", "), place.node);
  if (holders.empty()) return which + ", which cannot be used now.";
  return fmt::format("{}: {} {} {}.", which, fmt::join(holders, ", "),
                     holders.size() == 1 ? "has" : "have", one ? "it" : "them");
}

std::string ParkedSentence(std::optional<Mebibytes> memory) {
  std::string size = memory && memory->value > 0 ? fmt::format(" ({})", Size(*memory)) : "";
  return fmt::format(
      "Its GPU memory{} lies in host memory; resume brings it back to the same GPUs.", size);
}

bool IsUndecided(const Moved& moved) {
  if (moved.outcome) return false;
  switch (moved.outcome.error().code) {
    case Code::kNotFound:
    case Code::kConflict:
    case Code::kPrecondition:
    case Code::kUnsupported:
      return false;
    default:
      return true;
  }
}

void RecordMoved(Txn& txn, const Moved& moved) {
  Ptr<Attempt> found = txn.state().Find<Attempt>(moved.attempt);
  if (!found || found->end || found->residence != moved.from) return;
  // Its end comes: until then its GPUs stay its own, and nobody reads of work that runs without
  // them.
  if (found->stop) return;
  Ptr<Workload> owner = txn.state().Find<Workload>(found->workload);
  if (!owner) return;
  if (IsUndecided(moved)) return KeepMoving(txn, *owner, moved.outcome.error());
  Attempt attempt = *found;
  Workload workload = *owner;
  bool leaves = moved.from == Residence::kLeaving;
  bool is_away = leaves == moved.outcome.has_value();
  Relocate(attempt, is_away ? Residence::kAway : Residence::kOnGpu, txn.now());
  leaves ? Leave(txn, workload, moved) : Return(txn, workload, moved);
  txn.Put(std::move(attempt));
  txn.Put(std::move(workload));
}

void BeginReturn(Txn& txn, WorkloadId id) {
  Ptr<Workload> found = txn.state().Find<Workload>(id);
  if (!found || !WaitsForItsGpus(txn.state(), *found)) return;
  Workload workload = *found;
  Attempt attempt = *txn.state().OpenAttempt(workload);
  Relocate(attempt, Residence::kReturning, txn.now());
  Follow(txn, workload, {Life::kReturning, "", "Its memory comes back to its GPUs.", txn.now()});
  txn.Put(std::move(attempt));
  txn.Put(std::move(workload));
}

}  // namespace yard::control

#include "demo/archive.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"
#include "control/dispatch/lifecycle.h"
#include "control/state/retention.h"
#include "demo/work.h"

namespace yard::demo {
namespace {

constexpr std::int64_t kBatch = 2000;
constexpr std::size_t kInMemory = 10'000;  // ended workloads; more go to the store's archive
constexpr int kTurns = 15;                 // of the reactor, enough to archive a batch
constexpr std::uint64_t kSeed = 7;
constexpr Micros kPlacing{400'000};

struct EndKind {
  EndCause cause;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
};
// Of sixteen, one of each; the rest complete.
constexpr std::array<EndKind, 3> kBadEnds = {{{EndCause::kExit, 1, std::nullopt},
                                              {EndCause::kOutOfMemory, std::nullopt, 9},
                                              {EndCause::kNodeLost, std::nullopt, std::nullopt}}};

class Archive {
 public:
  Archive(const ArchiveOptions& options, const control::State& state)
      : options_(options), state_(state) {}

  // One workload with its attempt and history, as if it had been submitted then.
  Status Put(control::Txn& txn, Time at);

 private:
  Attempt MakeAttempt(const Workload& workload, Time at);
  void PutHistory(control::Txn& txn, const Workload& workload, const Attempt& attempt);
  void Emit(control::Txn& txn, const Workload& workload, Phase phase, Time at, std::string words);

  const ArchiveOptions& options_;
  const control::State& state_;
  WorkStream stream_{kSeed};
  SeededRandom random_{kSeed};
};

Attempt Archive::MakeAttempt(const Workload& workload, Time at) {
  const engine::NodeState& node = options_.nodes[random_.Below(options_.nodes.size())];
  const auto waited = Seconds(static_cast<std::int64_t>(random_.Below(1800)));
  const auto ran = Seconds(60 + static_cast<std::int64_t>(random_.Below(6 * 3600)));
  const auto devices =
      std::min(static_cast<std::size_t>(workload.request.gpu_devices), node.gpus.size());
  TaskPlace place{.node = node.name};
  for (std::size_t i = 0; i < devices; ++i) place.gpus.push_back(node.gpus[i].uuid);
  if (devices > 0) place.each = MilliGpu(workload.request.gpu.value / workload.request.gpu_devices);
  Attempt attempt{.id = AttemptId{MakeUuid(at, random_)},
                  .workload = workload.id,
                  .pool = NodePoolId{1},
                  .places = {std::move(place)},
                  .placed_at = at + waited,
                  .started_at = at + waited + kPlacing};
  const std::uint64_t fate = random_.Below(16);
  EndKind kind{EndCause::kCompleted, 0, std::nullopt};
  if (fate < kBadEnds.size()) kind = kBadEnds[fate];
  AttemptEnd end{.cause = kind.cause,
                 .exit_code = kind.exit_code,
                 .signal = kind.signal,
                 .at = *attempt.started_at + ran};
  end.message = control::SentenceOf(end, 1);
  attempt.end = std::move(end);
  return attempt;
}

void Archive::Emit(control::Txn& txn, const Workload& workload, Phase phase, Time at,
                   std::string words) {
  txn.Emit({.id = MakeUuid(at, random_),
            .workload = workload.id,
            .at = at,
            .type = phase == Phase::kFailed ? "Warning" : "Normal",
            .reason = std::string(Name(phase)),
            .message = std::move(words),
            .source = std::string(kPhaseSource)});
}

void Archive::PutHistory(control::Txn& txn, const Workload& workload, const Attempt& attempt) {
  Emit(txn, workload, Phase::kPending, workload.stamp.created_at, "Waits for the scheduler.");
  Emit(txn, workload, Phase::kInitializing, attempt.placed_at,
       fmt::format("Starting on {}.", attempt.places[0].node));
  Emit(txn, workload, Phase::kRunning, *attempt.started_at, "Running.");
  Emit(txn, workload, workload.phase(), attempt.end->at, attempt.end->message);
}

Status Archive::Put(control::Txn& txn, Time at) {
  const Submission submission = stream_.Next();
  YARD_ASSIGN(Workload workload, DraftOf(state_, submission));
  workload.id = WorkloadId{MakeUuid(at, random_)};
  workload.department = state_.Find<Project>(workload.project)->department;
  workload.name = "old-" + workload.name;
  workload.requested_name = workload.name;
  Attempt attempt = MakeAttempt(workload, at);
  const AttemptEnd& end = *attempt.end;
  workload.life = end.cause == EndCause::kCompleted ? Life::kCompleted : Life::kFailed;
  workload.phase_reason = Name(end.cause);
  workload.phase_message = end.message;
  workload.phase_since = end.at;
  workload.completed_at = end.at;
  workload.stamp = {at, submission.owner, end.at, submission.owner};
  workload.attempt = attempt.id;
  workload.attempts = 1;
  PutHistory(txn, workload, attempt);
  txn.Put(std::move(attempt));
  txn.Put(std::move(workload));
  return {};
}

// Lets the reactor move a batch out of the memory: it does a part of it in each of its turns.
Status ShortenMemory(control::Service& service) {
  if (service.Read()->settled() < kInMemory) return {};
  control::ArchiveEnded(service, {});
  for (int i = 0; i < kTurns; ++i) {
    YARD_TRY(service.WriteAndWait(control::SystemPrincipal(),
                                  [](control::Txn&) -> Status { return {}; }));
  }
  return {};
}

}  // namespace

Status FillArchive(const ArchiveOptions& options, control::Service& service, SteeredClock& clock,
                   const std::function<void(std::int64_t)>& told) {
  const Time begin = clock.Now();
  const Micros between(options.length.value / std::max<std::int64_t>(1, options.workloads));
  const control::Snapshot state = service.Read();
  Archive archive(options, *state);
  for (std::int64_t done = 0; done < options.workloads;) {
    const std::int64_t until = std::min(done + kBatch, options.workloads);
    const auto put = [&](control::Txn& txn) -> Status {
      for (std::int64_t i = done; i < until; ++i) {
        YARD_TRY(archive.Put(txn, begin + Micros(between.value * i)));
      }
      return {};
    };
    YARD_TRY(service.WriteAndWait(control::SystemPrincipal(), put));
    done = until;
    clock.MoveTo(begin + Micros(between.value * done));
    YARD_TRY(ShortenMemory(service));
    told(done);
  }
  return {};
}

}  // namespace yard::demo

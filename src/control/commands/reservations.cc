#include "control/commands/reservations.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/refuse.h"
#include "control/commands/org.h"

namespace yard::control {
namespace {

constexpr Micros kLongest = Days(366);

std::optional<NodePoolId> PoolNamed(const State& state, ClusterId cluster, std::string_view name) {
  std::optional<NodePoolId> found;
  state.Of<NodePool>().Each([&](const NodePool& pool) {
    if (pool.cluster == cluster && pool.name == name) found = pool.id;
  });
  return found;
}

Status CheckWindow(const ReservationDraft& draft, Time now) {
  if (draft.end <= draft.start) return RefuseFields({{"end", "must be after start"}});
  if (draft.end <= now) return RefuseFields({{"end", "is over already"}});
  if (draft.end - draft.start > kLongest) {
    return RefuseFields({{"end", "must be within 366 days of start"}});
  }
  return {};
}

Status CheckNameFree(const State& state, const Reservation& made) {
  Status status;
  state.Of<Reservation>().Each([&](const Reservation& other) {
    if (other.project != made.project || other.name != made.name) return true;
    Error error{Code::kConflict,
                fmt::format("the project has a reservation named '{}' already", made.name),
                "choose another name, or update the one that is there"};
    error.fields.push_back({"name", "is taken in this project"});
    status = Fail(std::move(error));
    return false;
  });
  return status;
}

MilliGpu GpusOf(const State& state, NodePoolId pool) {
  MilliGpu sum;
  state.Of<Node>().Each([&](const Node& node) {
    if (node.pool == pool) sum += MilliGpu(1000 * node.gpu_count);
  });
  return sum;
}

// The most that other reservations keep of the pool at one time within the window.
MilliGpu KeptBeside(const State& state, const Reservation& made, NodePoolId pool) {
  std::vector<Reservation> others;
  state.Of<Reservation>().Each([&](const Reservation& other) {
    bool meets = other.start < made.end && made.start < other.end;
    if (other.id != made.id && meets && PoolOf(state, other) == pool) others.push_back(other);
  });
  MilliGpu most;
  for (const Reservation& at : others) {
    Time start = std::max(at.start, made.start);
    MilliGpu sum;
    for (const Reservation& other : others) {
      if (other.start <= start && start < other.end) sum += other.gpu;
    }
    most = std::max(most, sum);
  }
  return most;
}

Status CheckRoom(const State& state, const Reservation& made) {
  std::optional<NodePoolId> pool = PoolOf(state, made);
  if (!pool) {
    return RefuseFields({{"nodePool", "is needed: the project has no node pool to use"}});
  }
  MilliGpu has = GpusOf(state, *pool);
  MilliGpu kept = KeptBeside(state, made, *pool);
  // Nothing is known of a pool whose machines are still to come.
  if (has.value == 0 || made.gpu + kept <= has) return {};
  Error error{Code::kConflict,
              fmt::format("node pool '{}' has {} GPUs, of which {} are reserved in that time; {} "
                          "are asked for",
                          state.Find<NodePool>(*pool)->name, FormatMilli(has.value),
                          FormatMilli(kept.value), FormatMilli(made.gpu.value)),
              "ask for fewer, or for another time or pool; see GET /api/v1/reservations"};
  error.fields.push_back({"gpu", "is more than is left"});
  return Fail(std::move(error));
}

// Whoever may give the department another project.
Status RequireFor(Txn& txn, const Project& project) {
  return txn.Require(Resource::kProject, Action::kCreate,
                     {.cluster = project.cluster, .department = project.department});
}

Status Fill(Reservation& made, const State& state, const ReservationDraft& draft) {
  made.gpu = draft.gpu;
  made.start = draft.start;
  made.end = draft.end;
  made.release_after_seconds = draft.release_after_seconds;
  made.pool.reset();
  if (draft.pool) {
    made.pool = PoolNamed(state, made.cluster, *draft.pool);
    if (!made.pool) {
      return RefuseFields({{"nodePool", fmt::format("there is no node pool '{}'", *draft.pool)}});
    }
  }
  return CheckRoom(state, made);
}

}  // namespace

Result<Ptr<Reservation>> GetReservation(const State& state, ReservationId id) {
  if (Ptr<Reservation> found = state.Find<Reservation>(id)) return found;
  return Fail(Code::kNotFound, fmt::format("there is no reservation {}", FormatUuid(id.value)),
              "see GET /api/v1/reservations for the ids");
}

std::optional<NodePoolId> PoolOf(const State& state, const Reservation& reservation) {
  if (reservation.pool) return reservation.pool;
  Ptr<Project> project = state.Find<Project>(reservation.project);
  if (!project) return std::nullopt;
  std::vector<std::string> pools = EffectivePools(state, *project);
  return pools.empty() ? std::nullopt : PoolNamed(state, reservation.cluster, pools.front());
}

Time LastUse(const State& state, ProjectId project, NodePoolId pool) {
  Time last;
  state.Of<Attempt>().Each([&](const Attempt& attempt) {
    const bool holds = HoldsGpus(attempt);
    if ((holds && !attempt.end) || attempt.pool != pool || HeldBy(attempt).value == 0) return;
    const Time used = holds ? attempt.end->at : attempt.residence_since;
    Ptr<Workload> workload = used > last ? state.Find<Workload>(attempt.workload) : nullptr;
    if (workload && workload->project == project) last = used;
  });
  if (last != Time{} || state.archived() == 0) return last;
  // Archived work ended before all that is in memory.
  constexpr std::size_t kNewest = 50;
  for (const ArchivedWorkload& past : state.archive().Newest(kNewest, project)) {
    for (const Ptr<Attempt>& attempt : past.attempts) {
      if (attempt->pool != pool || HeldBy(*attempt).value == 0 || !attempt->end) continue;
      last = std::max(last, attempt->end->at);
    }
  }
  return last;
}

Result<Ptr<Reservation>> CreateReservation(Txn& txn, const ReservationDraft& draft) {
  Ptr<Project> project = txn.state().Find<Project>(draft.project);
  if (!project) {
    Error error{Code::kInvalid,
                fmt::format("projectId: there is no project {}", draft.project.value),
                "see GET /api/v1/org-unit/projects for the ids"};
    error.fields.push_back({"projectId", "does not exist"});
    return Fail(std::move(error));
  }
  YARD_TRY(RequireFor(txn, *project));
  YARD_TRY(CheckWindow(draft, txn.now()));
  Reservation made{.id = ReservationId{txn.NewUuid()},
                   .name = draft.name,
                   .cluster = project->cluster,
                   .project = project->id,
                   .stamp = txn.NewStamp()};
  YARD_TRY(CheckNameFree(txn.state(), made));
  YARD_TRY(Fill(made, txn.state(), draft));
  return txn.Put(std::move(made));
}

Result<Ptr<Reservation>> UpdateReservation(Txn& txn, ReservationId id,
                                           const ReservationDraft& draft) {
  YARD_ASSIGN(Ptr<Reservation> current, GetReservation(txn.state(), id));
  YARD_ASSIGN(Ptr<Project> project, GetProject(txn.state(), current->project));
  YARD_TRY(RequireFor(txn, *project));
  YARD_TRY(CheckWindow(draft, txn.now()));
  Reservation made = *current;
  YARD_TRY(Fill(made, txn.state(), draft));
  txn.Touch(made.stamp);
  return txn.Put(std::move(made));
}

Status DeleteReservation(Txn& txn, ReservationId id) {
  YARD_ASSIGN(Ptr<Reservation> current, GetReservation(txn.state(), id));
  YARD_ASSIGN(Ptr<Project> project, GetProject(txn.state(), current->project));
  YARD_TRY(RequireFor(txn, *project));
  txn.Erase<Reservation>(id);
  return {};
}

void EraseReservations(Txn& txn, const std::function<bool(const Reservation&)>& which) {
  std::vector<ReservationId> ids;
  txn.state().Of<Reservation>().Each([&](const Reservation& one) {
    if (which(one)) ids.push_back(one.id);
  });
  for (ReservationId id : ids) txn.Erase<Reservation>(id);
}

}  // namespace yard::control

// Commands on advance reservations: GPUs kept for a project's work during a window.
//
// What is kept for one project is kept from all others of the cluster, so whoever may make
// projects in its department decides, not the project itself. Each command checks its caller's
// permission itself, on the newest state, and says exactly what is wrong. Reactor thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/org.h"

namespace yard::control {

struct ReservationDraft {
  std::string name;   // to create; an update keeps it
  ProjectId project;  // the same
  MilliGpu gpu;
  std::optional<std::string> pool;  // by name; none: the first that the project's work tries
  Time start;
  Time end;
  std::optional<std::int64_t> release_after_seconds;
};

// Refused if the window is over, or if the pool has not so many GPUs beside what other
// reservations keep in it at the same time.
Result<Ptr<Reservation>> CreateReservation(Txn& txn, const ReservationDraft& draft);
Result<Ptr<Reservation>> UpdateReservation(Txn& txn, ReservationId id,
                                           const ReservationDraft& draft);
Status DeleteReservation(Txn& txn, ReservationId id);

// Those that go with something else.
void EraseReservations(Txn& txn, const std::function<bool(const Reservation&)>& which);

Result<Ptr<Reservation>> GetReservation(const State& state, ReservationId id);
// The pool it keeps GPUs of; nothing if the project may use none.
std::optional<NodePoolId> PoolOf(const State& state, const Reservation& reservation);
// When work of the project in the pool last ended; the beginning of time if none has.
Time LastUse(const State& state, ProjectId project, NodePoolId pool);

}  // namespace yard::control

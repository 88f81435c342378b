// What is kept how long.
//
// Ended work leaves the memory for the archive after a few minutes. Finished workloads delete
// themselves after the time their spec names, or after that of their project; what a project has
// beyond its number or its bytes is forgotten, the longest ended first. The record of a deleted
// workload, answers under an idempotency key, messages, sessions and the journal are forgotten
// later.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "control/service.h"
#include "control/state/keep.h"

namespace yard::control {

inline constexpr Micros kDeletedKept = Days(30);

struct RetentionPolicy {
  // How long ended work stays in memory; if much has ended, for a shorter time.
  Micros in_memory = Minutes(10);
  Micros deleted_workloads = kDeletedKept;
  Micros journal = Days(90);
  KeepRules keep = {};
};

struct Expired {
  std::vector<WorkloadId> finished;  // to be deleted
  std::vector<WorkloadId> deleted;   // whose record is to be forgotten
  std::vector<std::string> replies;
  std::vector<DeliveryId> deliveries;
  std::vector<SessionId> sessions;

  bool empty() const {
    return finished.empty() && deleted.empty() && replies.empty() && deliveries.empty() &&
           sessions.empty();
  }
};

// When a workload that came to its end is to be deleted by its own spec or, if it is deleted,
// forgotten. Nothing: its project says.
std::optional<Time> ExpiryOf(const Workload& workload);

// Everything in memory whose time has come. Only reads.
Expired FindExpired(const State& state, Time now, const RetentionPolicy& policy);

// Deletes and forgets what is still there of it. Reactor thread.
Status Retire(Txn& txn, const Expired& expired);

// Moves work that ended a while ago out of the memory. Returns without waiting; from any thread.
void ArchiveEnded(Service& service, const RetentionPolicy& policy);

// Finds and retires. Returns without waiting; from any thread.
void RetireExpired(Service& service, const RetentionPolicy& policy);
// The same for archived work that its project does not keep any longer.
void RetireSurplus(Service& service, const RetentionPolicy& policy);
// One round: retires, archives and prunes the journal, which takes longer. From any thread.
void RunRetention(Service& service, const RetentionPolicy& policy);

}  // namespace yard::control

// What is kept how long.
//
// Finished workloads delete themselves after the time their spec names; the record of a deleted
// workload, answers under an idempotency key, messages, sessions and the journal are forgotten
// later.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "control/service.h"

namespace yard::control {

struct RetentionPolicy {
  Micros deleted_workloads = Days(30);
  Micros journal = Days(90);
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

// Everything whose time has come. Only reads.
Expired FindExpired(const State& state, Time now, const RetentionPolicy& policy);

// Deletes and forgets what is still there of it. Reactor thread.
Status Retire(Txn& txn, const Expired& expired);

// One round: finds and retires. Returns without waiting; from any thread.
void RetireExpired(Service& service, const RetentionPolicy& policy);
// The same and prunes the journal, which takes longer.
void RunRetention(Service& service, const RetentionPolicy& policy);

}  // namespace yard::control

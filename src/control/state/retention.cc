#include "control/state/retention.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "control/commands/workloads.h"
#include "model/spec/spec.h"

namespace yard::control {
namespace {

// At most this many per command, so that a large round does not hold up other writers.
constexpr std::size_t kSlice = 500;

constexpr Micros kUsuallyKept = Days(30);

// Beyond so many, ended work leaves the memory early.
constexpr std::size_t kManyEnded = 5'000;
constexpr Micros kShortly = Seconds(30);

// At most this many archived workloads are looked at in one round.
constexpr std::size_t kArchiveRound = 5'000;

bool HasOutlivedItsEnd(const Workload& workload, Time now) {
  if (WaitsForOutputs(workload)) return false;  // they go with the record
  std::optional<Time> expiry = workload.deleted_at ? std::nullopt : ExpiryOf(workload);
  return expiry && *expiry <= now;
}

Status FindArchived(const State& state, Time now, Expired& expired) {
  for (bool deleted : {false, true}) {
    ArchiveQuery query{.limit = kArchiveRound};
    query.filter.deleted = deleted;
    query.filter.expired_by = now;
    YARD_ASSIGN(ArchivePage page, state.archive().Read(query));
    for (const ArchiveKey& key : page.keys) {
      (deleted ? expired.deleted : expired.finished).push_back(key.id);
    }
  }
  return {};
}

template <class T>
std::vector<T> TakeSlice(std::vector<T>& all) {
  std::size_t count = std::min(kSlice, all.size());
  std::vector<T> slice(all.end() - static_cast<std::ptrdiff_t>(count), all.end());
  all.resize(all.size() - count);
  return slice;
}

}  // namespace

std::optional<Time> ExpiryOf(const Workload& workload) {
  if (workload.deleted_at) return *workload.deleted_at + kDeletedKept;
  if (!HasEnded(workload.life) || !workload.completed_at) return std::nullopt;
  return *workload.completed_at + workload.spec->limits->kept_after_end.value_or(kUsuallyKept);
}

Expired FindExpired(const State& state, Time now, const RetentionPolicy& policy) {
  Expired expired;
  state.Of<Workload>().Each([&](const Workload& workload) {
    if (workload.deleted_at) {
      if (*workload.deleted_at + policy.deleted_workloads <= now)
        expired.deleted.push_back(workload.id);
    } else if (HasOutlivedItsEnd(workload, now)) {
      expired.finished.push_back(workload.id);
    }
  });
  state.Of<IdempotentReply>().Each([&](const IdempotentReply& reply) {
    if (reply.expires_at <= now) expired.replies.push_back(reply.id);
  });
  state.Of<Delivery>().Each([&](const Delivery& delivery) {
    bool waits = delivery.outcome == DeliveryOutcome::kPending;
    if (!waits && delivery.at + policy.journal <= now) expired.deliveries.push_back(delivery.id);
  });
  state.Of<LoginSession>().Each([&](const LoginSession& session) {
    if (session.expires_at <= now) expired.sessions.push_back(session.id);
  });
  return expired;
}

Status Retire(Txn& txn, const Expired& expired) {
  for (WorkloadId id : expired.finished) {
    Ptr<Workload> workload = txn.state().FindEver(id);
    if (workload && !workload->deleted_at) YARD_TRY(DeleteWorkload(txn, id, std::nullopt));
  }
  for (WorkloadId id : expired.deleted) {
    txn.Recall(id);
    Ptr<Workload> workload = txn.state().Find<Workload>(id);
    if (!workload || txn.state().OpenAttempt(*workload)) continue;
    for (const Ptr<Attempt>& attempt : txn.state().AttemptsOf(id)) txn.Erase<Attempt>(attempt->id);
    txn.Erase<Workload>(id);
  }
  for (const std::string& id : expired.replies) {
    if (txn.state().Find<IdempotentReply>(id)) txn.Erase<IdempotentReply>(id);
  }
  for (DeliveryId id : expired.deliveries) {
    if (txn.state().Find<Delivery>(id)) txn.Erase<Delivery>(id);
  }
  for (SessionId id : expired.sessions) {
    if (txn.state().Find<LoginSession>(id)) txn.Erase<LoginSession>(id);
  }
  return {};
}

void ArchiveEnded(Service& service, const RetentionPolicy& policy) {
  const bool many = service.Read()->settled() > kManyEnded;
  service.MoveToArchive(service.Now() -
                        (many ? std::min(kShortly, policy.in_memory) : policy.in_memory));
}

void RetireExpired(Service& service, const RetentionPolicy& policy) {
  const Time now = service.Now();
  Expired expired = FindExpired(*service.Read(), now, policy);
  if (Status read = FindArchived(*service.Read(), now, expired); !read) {
    log::Warning("retention cannot read the archive", {{"error", read.error().message}});
  }
  while (!expired.empty()) {
    Expired slice{.finished = TakeSlice(expired.finished),
                  .deleted = TakeSlice(expired.deleted),
                  .replies = TakeSlice(expired.replies),
                  .deliveries = TakeSlice(expired.deliveries),
                  .sessions = TakeSlice(expired.sessions)};
    service.Write(
        SystemPrincipal(), {}, [slice = std::move(slice)](Txn& txn) { return Retire(txn, slice); },
        [](Status status) {
          if (!status) log::Warning("retention failed", {{"error", status.error().message}});
        });
  }
}

void RunRetention(Service& service, const RetentionPolicy& policy) {
  RetireExpired(service, policy);
  service.Prune(service.Now() - policy.journal);
  ArchiveEnded(service, policy);
}

}  // namespace yard::control

#include "control/state/retention.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/log.h"
#include "control/commands/workloads.h"
#include "model/spec/spec.h"

namespace yard::control {
namespace {

// At most this many per command, so that a large round does not hold up other writers.
constexpr std::size_t kSlice = 500;

// Beyond so many, ended work leaves the memory early.
constexpr std::size_t kManyEnded = 5'000;
constexpr Micros kShortly = Seconds(30);

// At most this many archived workloads are looked at in one round.
constexpr std::size_t kArchiveRound = 5'000;

// In one round for what a project has too much of; the next is an hour later.
constexpr std::size_t kSurplusRound = 50'000;

const Keep& KeepOf(const State& state, ProjectId id, const KeepRules& rules) {
  Ptr<Project> project = state.Find<Project>(id);
  return project ? rules.Of(project->name) : rules.usual;
}

bool HasOutlivedItsEnd(const State& state, const Workload& workload, Time now,
                       const KeepRules& rules) {
  if (!HasEnded(workload.life) || !workload.completed_at) return false;
  if (WaitsForOutputs(workload)) return false;  // they go with the record
  const Time expiry = ExpiryOf(workload).value_or(*workload.completed_at +
                                                  KeepOf(state, workload.project, rules).age);
  return expiry <= now;
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

// Of one project, those that ended the longest ago.
Status FindOldest(const State& state, ArchiveFilter filter, std::size_t most,
                  std::vector<WorkloadId>& found) {
  filter.deleted = false;
  ArchiveQuery query{.filter = std::move(filter), .sort_by = ArchiveField::kEnded};
  query.limit = std::min(most, kSurplusRound);
  YARD_ASSIGN(ArchivePage page, state.archive().Read(query));
  for (const ArchiveKey& key : page.keys) found.push_back(key.id);
  return {};
}

// How many are to go so that number and bytes are within what is kept. Records are of like size.
std::int64_t SurplusOf(const Keep& keep, std::int64_t workloads, std::int64_t bytes) {
  std::int64_t surplus = std::max<std::int64_t>(workloads - keep.workloads, 0);
  if (bytes <= keep.bytes || workloads == 0) return surplus;
  const auto part = static_cast<double>(bytes - keep.bytes) / static_cast<double>(bytes);
  const auto by_size = static_cast<std::int64_t>(part * static_cast<double>(workloads)) + 1;
  return std::min(workloads, std::max(surplus, by_size));
}

Status FindSurplus(const State& state, Time now, const KeepRules& rules, Expired& expired) {
  std::map<ProjectId, std::int64_t> kept;
  YARD_ASSIGN(std::vector<ArchiveCount> counts, state.archive().Counts());
  YARD_ASSIGN(auto sizes, state.archive().Sizes());
  for (const ArchiveCount& count : counts) {
    if (!count.deleted) kept[count.project] += count.workloads;
  }
  for (const auto& [project, workloads] : kept) {
    const Keep& keep = KeepOf(state, project, rules);
    ArchiveFilter old{.projects = std::vector{project}, .without_time = true};
    old.all_of.push_back({.field = ArchiveField::kEnded,
                          .compare = ArchiveCompare::kAtMost,
                          .values = {(now - keep.age).micros}});
    YARD_TRY(FindOldest(state, std::move(old), kSurplusRound, expired.finished));
    const std::int64_t surplus = SurplusOf(keep, workloads, sizes[project]);
    if (surplus == 0) continue;
    YARD_TRY(FindOldest(state, {.projects = std::vector{project}},
                        static_cast<std::size_t>(surplus), expired.deleted));
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
  const std::optional<Micros> kept = workload.spec->limits->kept_after_end;
  if (!kept) return std::nullopt;
  return *workload.completed_at + *kept;
}

Expired FindExpired(const State& state, Time now, const RetentionPolicy& policy) {
  Expired expired;
  state.Of<Workload>().Each([&](const Workload& workload) {
    if (workload.deleted_at) {
      if (*workload.deleted_at + policy.deleted_workloads <= now)
        expired.deleted.push_back(workload.id);
    } else if (HasOutlivedItsEnd(state, workload, now, policy.keep)) {
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

namespace {

void RetireAll(Service& service, Expired expired) {
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

void WarnUnread(const Status& read) {
  if (read) return;
  log::Warning("retention cannot read the archive", {{"error", read.error().message}});
}

}  // namespace

void RetireExpired(Service& service, const RetentionPolicy& policy) {
  const Time now = service.Now();
  Expired expired = FindExpired(*service.Read(), now, policy);
  WarnUnread(FindArchived(*service.Read(), now, expired));
  RetireAll(service, std::move(expired));
}

void RetireSurplus(Service& service, const RetentionPolicy& policy) {
  Expired expired;
  WarnUnread(FindSurplus(*service.Read(), service.Now(), policy.keep, expired));
  RetireAll(service, std::move(expired));
}

void RunRetention(Service& service, const RetentionPolicy& policy) {
  RetireExpired(service, policy);
  RetireSurplus(service, policy);
  service.Prune(service.Now() - policy.journal);
  ArchiveEnded(service, policy);
}

}  // namespace yard::control

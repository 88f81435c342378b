// Everything the server knows, as a value.
//
// A State is a set of snapshot maps: copying it costs a few pointers, and a copy never changes.
// Readers hold a `shared_ptr<const State>`; only the reactor holds a mutable one. Ended work leaves
// it after a while for the archive (control/state/archive.h); questions by id and name go on there.
// Invariant: the indexes agree with the tables, since Apply is the only way to change either.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/snapshot_map.h"
#include "control/state/archive.h"
#include "control/state/table.h"
#include "control/usage/holdings.h"
#include "model/journal.h"
#include "model/object.h"
#include "model/scope.h"

namespace yard::control {

template <class List>
struct TablesOf;
template <class... Ts>
struct TablesOf<TypeList<Ts...>> {
  using type = std::tuple<Table<Ts>...>;  // NOLINT(readability-identifier-naming): as in std
};

// Sums over a project's workloads that have not ended.
struct Usage {
  std::int64_t live = 0;
  MilliGpu gpu;
  MilliCpu cpu;
  Mebibytes memory;
};

class State {
 public:
  template <class T>
  const Table<T>& Of() const {
    return std::get<Table<T>>(tables_);
  }
  // The object, or null.
  template <class T>
  Ptr<T> Find(const typename T::Id& id) const {
    return Of<T>().Find(id);
  }

  Ptr<User> UserByEmail(std::string_view email) const;
  Ptr<Application> AppByClientId(std::string_view client_id) const;
  // The workload, in memory or archived; null if there is none.
  Ptr<Workload> FindEver(WorkloadId id) const;
  // The workload of that name in the project that is not deleted; it may be archived.
  Ptr<Workload> WorkloadByName(ProjectId project, std::string_view name) const;
  // How many of a project's workloads are not deleted, the archived ones included.
  std::size_t LiveWorkloads(ProjectId project) const;
  // What a project's workloads that are not finished ask for, in all.
  Usage RequestedBy(ProjectId project) const;
  // Rules that name this subject and are not deleted; in id order.
  std::vector<Ptr<AccessRule>> RulesOf(SubjectType type, std::string_view subject) const;

  // Oldest first; of archived work too.
  std::vector<Ptr<Attempt>> AttemptsOf(WorkloadId workload) const;
  // The newest of archived work too.
  Ptr<Attempt> NewestAttempt(const Workload& workload) const;
  // A rule's messages, oldest first.
  std::vector<Ptr<Delivery>> DeliveriesOf(NotifyRuleId rule) const;
  // The sessions of a user or an application.
  std::vector<Ptr<LoginSession>> SessionsOf(const Uuid& subject) const;
  // The newest attempt of a workload if it has not ended, or null.
  Ptr<Attempt> OpenAttempt(const Workload& workload) const;
  // Calls `visit(const Ptr<Attempt>&)` for every attempt that has not ended.
  template <class Visitor>
  void EachOpenAttempt(Visitor&& visit) const {
    open_attempts_.Each([&](const auto& key, char) { visit(Find<Attempt>(key.second)); });
  }
  // What they hold, summed.
  const Holdings& holdings() const { return holdings_; }

  // The way down to a scope; an empty optional if the scope names something that is not there.
  std::optional<ScopePath> PathOf(const Scope& scope) const;
  ScopePath PathOf(const Department& department) const;
  ScopePath PathOf(const Project& project) const;
  ScopePath PathOf(const Workload& workload) const;

  // Puts, replaces or removes one object. `change.before` must be what is there now.
  void Apply(const Change& change);

  const Archive& archive() const { return archive_; }
  // How many workloads are archived, the deleted ones included.
  std::int64_t archived() const { return archived_; }
  // From now on the archive is asked too; `counts` says what it holds.
  void Use(Archive archive, const std::vector<ArchiveCount>& counts);
  // The archived workload with its attempts; nothing if it was recalled and not committed yet.
  std::optional<ArchivedWorkload> FindArchived(WorkloadId id) const;
  // Lets go of what the archive has taken, or takes back what it gives.
  void Shelve(const ArchivedWorkload& past);
  void Unshelve(const ArchivedWorkload& past);
  // The archive says the same as this state again.
  void Settle() { unshelved_ = {}; }
  // Calls `visit(const Workload&)` for work in memory that has ended or is deleted and was last
  // touched before `before`, the longest ago first, until it returns false.
  template <class Visitor>
  void EachSettled(Time before, Visitor&& visit) const {
    settled_.Each([&](const auto& key, char) {
      return key.first < before && visit(*Find<Workload>(key.second));
    });
  }
  std::size_t settled() const { return settled_.size(); }

 private:
  template <class T>
  void ApplyTo(const T* before, const Ptr<T>& after, const typename T::Id& id);
  template <class T>
  void Reindex(const T*, const T*) {}
  void Reindex(const User* before, const User* after);
  void Reindex(const Application* before, const Application* after);
  void Reindex(const Workload* before, const Workload* after);
  void Reindex(const AccessRule* before, const AccessRule* after);
  void Reindex(const Attempt* before, const Attempt* after);
  void ReindexHeld(const Workload* before, const Workload* after);
  void ReindexSettled(const Workload* before, const Workload* after);
  void CountArchived(const Workload& workload, std::int64_t more);
  void ReindexHeld(const Attempt* before, const Attempt* after);
  void Reindex(const Delivery* before, const Delivery* after);
  void Reindex(const LoginSession* before, const LoginSession* after);

  TablesOf<ObjectTypes>::type tables_;
  SnapshotMap<std::string, UserId> user_by_email_;
  SnapshotMap<std::string, ApplicationId> app_by_client_id_;
  // By a hash of project and name: plain numbers, so that copying a chunk copies no texts. Equal
  // hashes stand side by side and are told apart by looking at the workload.
  SnapshotMap<std::pair<std::uint64_t, WorkloadId>, char> workload_by_name_;
  using SubjectKey = std::tuple<SubjectType, std::string, AccessRuleId>;  // in lower case
  SnapshotMap<SubjectKey, char> rule_by_subject_;
  SnapshotMap<ProjectId, Usage> usage_by_project_;
  SnapshotMap<std::pair<WorkloadId, std::int32_t>, AttemptId> attempt_by_workload_;
  SnapshotMap<std::pair<WorkloadId, AttemptId>, char> open_attempts_;
  Holdings holdings_;
  Archive archive_;
  std::int64_t archived_ = 0;
  SnapshotMap<ProjectId, std::int64_t> archived_by_project_;  // that are not deleted
  SnapshotMap<WorkloadId, char> unshelved_;                   // since the last commit
  SnapshotMap<std::pair<Time, WorkloadId>, char> settled_;
  SnapshotMap<std::pair<NotifyRuleId, DeliveryId>, char> delivery_by_rule_;
  SnapshotMap<std::pair<Uuid, SessionId>, char> session_by_subject_;
};

}  // namespace yard::control

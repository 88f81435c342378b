#include "control/state/state.h"

#include "base/check.h"
#include "base/strings.h"

namespace yard::control {
namespace {

std::uint64_t NameHash(ProjectId project, std::string_view name) {
  return std::hash<std::string_view>{}(name) * 0x9e3779b97f4a7c15ULL ^
         static_cast<std::uint64_t>(project.value);
}

// Adds (or with sign -1 takes away) what one workload counts for.
void AddUsage(Usage& usage, const Workload& workload, std::int64_t sign) {
  if (workload.deleted_at) return;
  usage.live += sign;
  if (IsFinal(workload.life) || workload.desired != DesiredPhase::kRunning) return;
  PodRequest total = TotalOf(workload.request);
  usage.gpu += total.gpu * sign;
  usage.cpu += total.cpu * sign;
  usage.memory += total.memory * sign;
}

// Since when nothing has happened to work that has come to its end.
std::optional<Time> SettledSince(const Workload* workload) {
  if (workload == nullptr) return std::nullopt;
  if (!workload->deleted_at && !HasEnded(workload->life)) return std::nullopt;
  if (WaitsForOutputs(*workload)) return std::nullopt;
  return workload->stamp.updated_at;
}

}  // namespace

Ptr<User> State::UserByEmail(std::string_view email) const {
  const UserId* id = user_by_email_.Find(Lower(email));
  return id ? Find<User>(*id) : nullptr;
}

Ptr<Application> State::AppByClientId(std::string_view client_id) const {
  const ApplicationId* id = app_by_client_id_.Find(std::string(client_id));
  return id ? Find<Application>(*id) : nullptr;
}

Ptr<Workload> State::WorkloadByName(ProjectId project, std::string_view name) const {
  Ptr<Workload> found;
  std::uint64_t hash = NameHash(project, name);
  workload_by_name_.EachFrom({hash, WorkloadId{}}, [&](const auto& key, char) {
    if (key.first != hash) return false;
    found = Find<Workload>(key.second);
    if (found->project == project && found->name == name) return false;
    found.reset();
    return true;
  });
  const std::int64_t* archived = found ? nullptr : archived_by_project_.Find(project);
  if (archived == nullptr || *archived == 0) return found;
  std::optional<WorkloadId> id = archive_.FindByName(project, name);
  // Work that has been recalled is in memory, under a name of its own or deleted.
  std::optional<ArchivedWorkload> past = id ? FindArchived(*id) : std::nullopt;
  return past ? past->workload : nullptr;
}

Ptr<Workload> State::FindEver(WorkloadId id) const {
  if (Ptr<Workload> workload = Find<Workload>(id)) return workload;
  std::optional<ArchivedWorkload> past = FindArchived(id);
  return past ? past->workload : nullptr;
}

std::optional<ArchivedWorkload> State::FindArchived(WorkloadId id) const {
  if (archived_ == 0 || unshelved_.Find(id) != nullptr) return std::nullopt;
  return archive_.Find(id);
}

std::size_t State::LiveWorkloads(ProjectId project) const {
  const std::int64_t* archived = archived_by_project_.Find(project);
  return static_cast<std::size_t>(RequestedBy(project).live + (archived ? *archived : 0));
}

Usage State::RequestedBy(ProjectId project) const {
  const Usage* usage = usage_by_project_.Find(project);
  return usage ? *usage : Usage{};
}

std::vector<Ptr<AccessRule>> State::RulesOf(SubjectType type, std::string_view subject) const {
  std::vector<Ptr<AccessRule>> rules;
  SubjectKey first{type, Lower(subject), AccessRuleId{}};
  rule_by_subject_.EachFrom(first, [&](const SubjectKey& key, char) {
    const auto& [other_type, other, id] = key;
    if (other_type != type || other != std::get<std::string>(first)) return false;
    rules.push_back(Find<AccessRule>(id));
    return true;
  });
  return rules;
}

std::vector<Ptr<Attempt>> State::AttemptsOf(WorkloadId workload) const {
  std::vector<Ptr<Attempt>> attempts;
  attempt_by_workload_.EachFrom({workload, 0}, [&](const auto& key, AttemptId id) {
    if (key.first != workload) return false;
    attempts.push_back(Find<Attempt>(id));
    return true;
  });
  if (!attempts.empty() || Find<Workload>(workload)) return attempts;
  if (std::optional<ArchivedWorkload> past = FindArchived(workload)) return past->attempts;
  return attempts;
}

Ptr<Attempt> State::NewestAttempt(const Workload& workload) const {
  if (!workload.attempt) return nullptr;
  if (Ptr<Attempt> attempt = Find<Attempt>(*workload.attempt)) return attempt;
  std::vector<Ptr<Attempt>> attempts = AttemptsOf(workload.id);
  return attempts.empty() ? nullptr : attempts.back();
}

void State::Use(Archive archive, const std::vector<ArchiveCount>& counts) {
  archive_ = archive;
  for (const ArchiveCount& count : counts) {
    archived_ += count.workloads;
    if (count.deleted) continue;
    const std::int64_t* known = archived_by_project_.Find(count.project);
    archived_by_project_.Put(count.project, (known ? *known : 0) + count.workloads);
  }
}

void State::CountArchived(const Workload& workload, std::int64_t more) {
  archived_ += more;
  if (workload.deleted_at) return;
  const std::int64_t* known = archived_by_project_.Find(workload.project);
  archived_by_project_.Put(workload.project, (known ? *known : 0) + more);
}

void State::Shelve(const ArchivedWorkload& past) {
  for (const Ptr<Attempt>& attempt : past.attempts) Apply({attempt, std::nullopt});
  Apply({past.workload, std::nullopt});
  unshelved_.Erase(past.workload->id);
  CountArchived(*past.workload, 1);
}

void State::Unshelve(const ArchivedWorkload& past) {
  Apply({std::nullopt, past.workload});
  for (const Ptr<Attempt>& attempt : past.attempts) Apply({std::nullopt, attempt});
  unshelved_.Put(past.workload->id, 0);
  CountArchived(*past.workload, -1);
}

std::vector<Ptr<Delivery>> State::DeliveriesOf(NotifyRuleId rule) const {
  std::vector<Ptr<Delivery>> deliveries;
  // Their ids begin with the time of their making.
  delivery_by_rule_.EachFrom({rule, DeliveryId{}}, [&](const auto& key, char) {
    if (key.first != rule) return false;
    deliveries.push_back(Find<Delivery>(key.second));
    return true;
  });
  return deliveries;
}

std::vector<Ptr<LoginSession>> State::SessionsOf(const Uuid& subject) const {
  std::vector<Ptr<LoginSession>> sessions;
  session_by_subject_.EachFrom({subject, SessionId{}}, [&](const auto& key, char) {
    if (key.first != subject) return false;
    sessions.push_back(Find<LoginSession>(key.second));
    return true;
  });
  return sessions;
}

Ptr<Attempt> State::OpenAttempt(const Workload& workload) const {
  if (!workload.attempt) return nullptr;
  Ptr<Attempt> attempt = Find<Attempt>(*workload.attempt);
  return attempt && !attempt->end ? attempt : nullptr;
}

std::optional<ScopePath> State::PathOf(const Scope& scope) const {
  switch (scope.type) {
    case ScopeType::kSystem:
    case ScopeType::kTenant:
      return ScopePath{};
    case ScopeType::kCluster: {
      std::optional<Uuid> id = ParseUuid(scope.id);
      if (!id || !Find<Cluster>(ClusterId{*id})) return std::nullopt;
      return ScopePath{.cluster = ClusterId{*id}};
    }
    case ScopeType::kDepartment: {
      std::optional<std::int64_t> id = ParseInt(scope.id);
      Ptr<Department> department = id ? Find<Department>(DepartmentId{*id}) : nullptr;
      if (!department) return std::nullopt;
      return PathOf(*department);
    }
    case ScopeType::kProject: {
      std::optional<std::int64_t> id = ParseInt(scope.id);
      Ptr<Project> project = id ? Find<Project>(ProjectId{*id}) : nullptr;
      if (!project) return std::nullopt;
      return PathOf(*project);
    }
  }
  return std::nullopt;
}

ScopePath State::PathOf(const Department& department) const {
  return {.cluster = department.cluster, .department = department.id};
}

ScopePath State::PathOf(const Project& project) const {
  return {.cluster = project.cluster, .department = project.department, .project = project.id};
}

ScopePath State::PathOf(const Workload& workload) const {
  return {
      .cluster = workload.cluster, .department = workload.department, .project = workload.project};
}

template <class T>
void State::ApplyTo(const T* before, const Ptr<T>& after, const typename T::Id& id) {
  // The change is about the version that is here: nobody else has changed it meanwhile.
  YARD_CHECK(Find<T>(id).get() == before);
  Table<T>& table = std::get<Table<T>>(tables_);
  if (after) {
    table.Put(id, after);
  } else {
    table.Erase(id);
  }
  Reindex(before, after.get());
}

void State::Apply(const Change& change) {
  YARD_CHECK(change.before || change.after);
  std::visit(
      [&]<class T>(const Ptr<T>& any) {
        Ptr<T> before = change.before ? std::get<Ptr<T>>(*change.before) : nullptr;
        Ptr<T> after = change.after ? std::get<Ptr<T>>(*change.after) : nullptr;
        ApplyTo<T>(before.get(), after, any->id);
      },
      change.any());
}

void State::Reindex(const User* before, const User* after) {
  if (before && (!after || after->email != before->email)) user_by_email_.Erase(before->email);
  if (after) user_by_email_.Put(after->email, after->id);
}

void State::Reindex(const Application* before, const Application* after) {
  if (before && (!after || after->client_id != before->client_id)) {
    app_by_client_id_.Erase(before->client_id);
  }
  if (after) app_by_client_id_.Put(after->client_id, after->id);
}

void State::Reindex(const Workload* before, const Workload* after) {
  ProjectId project = after ? after->project : before->project;
  Usage usage = RequestedBy(project);
  if (before) AddUsage(usage, *before, -1);
  if (after) AddUsage(usage, *after, 1);
  usage_by_project_.Put(project, usage);
  ReindexHeld(before, after);
  ReindexSettled(before, after);
  bool was = before && !before->deleted_at;
  bool is = after && !after->deleted_at;
  if (was && is && before->name == after->name) return;
  if (was) workload_by_name_.Erase({NameHash(before->project, before->name), before->id});
  if (is) workload_by_name_.Put({NameHash(after->project, after->name), after->id}, 0);
}

void State::ReindexSettled(const Workload* before, const Workload* after) {
  const WorkloadId id = after ? after->id : before->id;
  const std::optional<Time> was = SettledSince(before);
  const std::optional<Time> is = SettledSince(after);
  if (was == is) return;
  if (was) settled_.Erase({*was, id});
  if (is) settled_.Put({*is, id}, 0);
}

// An attempt counts once both it and its workload are here, whichever came first.
void State::ReindexHeld(const Workload* before, const Workload* after) {
  if (before && after && HoldsTheSame(*before, *after)) return;
  WorkloadId id = after ? after->id : before->id;
  open_attempts_.EachFrom({id, AttemptId{}}, [&](const auto& key, char) {
    if (key.first != id) return false;
    Ptr<Attempt> attempt = Find<Attempt>(key.second);
    if (before) holdings_.Remove(*attempt, *before);
    if (after) holdings_.Add(*attempt, *after);
    return true;
  });
}

void State::ReindexHeld(const Attempt* before, const Attempt* after) {
  bool was = before && !before->end;
  bool is = after && !after->end;
  if (!was && !is) return;
  if (was && is && HoldsGpus(*before) == HoldsGpus(*after)) return;  // it holds the same
  const Attempt& attempt = is ? *after : *before;
  Ptr<Workload> workload = Find<Workload>(attempt.workload);
  if (was && workload) holdings_.Remove(*before, *workload);
  if (is && workload) holdings_.Add(*after, *workload);
  if (is) {
    open_attempts_.Put({attempt.workload, attempt.id}, 0);
  } else {
    open_attempts_.Erase({attempt.workload, attempt.id});
  }
}

void State::Reindex(const Attempt* before, const Attempt* after) {
  ReindexHeld(before, after);
  if (before && after) return;
  if (before) attempt_by_workload_.Erase({before->workload, before->number});
  if (after) attempt_by_workload_.Put({after->workload, after->number}, after->id);
}

void State::Reindex(const Delivery* before, const Delivery* after) {
  if (before && after) return;
  if (before) delivery_by_rule_.Erase({before->rule, before->id});
  if (after) delivery_by_rule_.Put({after->rule, after->id}, 0);
}

void State::Reindex(const LoginSession* before, const LoginSession* after) {
  if (before && after) return;
  if (before) session_by_subject_.Erase({before->subject, before->id});
  if (after) session_by_subject_.Put({after->subject, after->id}, 0);
}

void State::Reindex(const AccessRule* before, const AccessRule* after) {
  if (before) {
    rule_by_subject_.Erase({before->subject_type, Lower(before->subject_id), before->id});
  }
  if (after && !after->deleted_at) {
    rule_by_subject_.Put({after->subject_type, Lower(after->subject_id), after->id}, 0);
  }
}

}  // namespace yard::control

#include "control/commands/org.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/commands/job_definitions.h"
#include "control/commands/reservations.h"
#include "control/notify/rules.h"
#include "control/policy/host_access.h"
#include "control/sched/choices.h"
#include "model/queue_priority.h"
#include "model/reserved_names.h"

namespace yard::control {
namespace {

constexpr std::string_view kDefaultDepartment = "default";

using Clusters = std::vector<ClusterId>;

bool Contains(const Clusters& clusters, ClusterId id) {
  return std::ranges::find(clusters, id) != clusters.end();
}

template <class T>
Status CheckNameFree(const State& state, const std::string& name, ClusterId cluster,
                     std::string_view what) {
  Status status;
  state.Of<T>().Each([&](const T& other) {
    if (other.name != name || other.cluster != cluster) return true;
    status = Fail(Code::kConflict, fmt::format("a {} named '{}' exists already", what, name),
                  "choose another name, or update the one that is there");
    return false;
  });
  return status;
}

// The address of a project's tools begins with its name.
Status CheckNotReserved(const std::string& name) {
  if (!IsReservedName(name)) return {};
  Error error{
      Code::kInvalid, fmt::format("name: '{}' is an address of the server itself", name),
      "choose another name: tools of a project's work are reached at /<project>/<workload>"};
  error.fields.push_back({"name", "is reserved"});
  return Fail(std::move(error));
}

std::unexpected<Error> Fixed(std::string_view field, std::string_view unit, std::string_view what) {
  Error error{Code::kInvalid, fmt::format("{}: '{}' cannot get another {}", field, unit, what),
              "leave the field out, or make a new one and delete this one"};
  error.fields.push_back({std::string(field), "cannot be changed"});
  return Fail(std::move(error));
}

// What is settled when a unit is made; a client may send it back as it was.
Status CheckUnmoved(const OrgUnit& current, const OrgUnitDraft& draft) {
  if (draft.cluster && *draft.cluster != current.cluster) {
    return Fixed("clusterId", current.name, "cluster");
  }
  if (draft.name && *draft.name != current.name) return Fixed("name", current.name, "name");
  return {};
}

Status CheckPoolNames(const State& state, const Clusters& clusters,
                      const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    bool found = false;
    state.Of<NodePool>().Each([&](const NodePool& pool) {
      found = found || (Contains(clusters, pool.cluster) && pool.name == name);
    });
    if (!found)
      return Fail(Code::kInvalid, fmt::format("defaultNodePools: there is no node pool '{}'", name),
                  "see GET /api/v1/node-pools for the names");
  }
  return {};
}

Status CheckQuota(const State& state, const Clusters& clusters, const PoolQuota& quota) {
  Ptr<NodePool> pool = state.Find<NodePool>(quota.pool);
  if (!pool || !Contains(clusters, pool->cluster)) {
    return Fail(
        Code::kInvalid,
        fmt::format("resources: there is no node pool {} in this cluster", quota.pool.value),
        "see GET /api/v1/node-pools for the ids");
  }
  if (quota.gpu.limit && (!quota.gpu.deserved || *quota.gpu.limit < *quota.gpu.deserved)) {
    return Fail(Code::kInvalid,
                fmt::format("resources: the GPU limit in pool '{}' is below its quota", pool->name),
                "raise the limit to at least the quota, or set it to -1 for none");
  }
  if (quota.priority && !QueuePriorityOf(*quota.priority)) {
    Error error{Code::kInvalid,
                fmt::format("resources: priority '{}' in pool '{}' is not known", *quota.priority,
                            pool->name),
                fmt::format("say {}", kQueuePriorityForms)};
    error.fields.push_back({"resources.priority", "is not known"});
    return Fail(std::move(error));
  }
  return {};
}

Status CheckQuotas(const State& state, const Clusters& clusters,
                   const std::vector<PoolQuota>& quotas) {
  for (auto quota = quotas.begin(); quota != quotas.end(); ++quota) {
    YARD_TRY(CheckQuota(state, clusters, *quota));
    auto same = [&](const PoolQuota& other) { return other.pool == quota->pool; };
    if (std::any_of(quotas.begin(), quota, same)) {
      return Fail(Code::kInvalid,
                  fmt::format("resources: node pool {} stands twice", quota->pool.value),
                  "send one entry for each pool");
    }
  }
  return {};
}

void ApplyDraft(OrgUnit& unit, const OrgUnitDraft& draft) {
  unit.description = draft.description.value_or(unit.description);
  unit.resources = draft.resources;
  unit.rules = draft.rules;
  unit.default_pools = draft.default_pools;
  unit.node_types = draft.node_types;
  if (draft.reclaim_min_runtime) unit.reclaim_min_runtime = *draft.reclaim_min_runtime;
  if (draft.preempt_min_runtime) unit.preempt_min_runtime = *draft.preempt_min_runtime;
}

Status CheckDraft(const State& state, const Clusters& clusters, const OrgUnitDraft& draft) {
  YARD_TRY(CheckQuotas(state, clusters, draft.resources));
  if (draft.default_pools) YARD_TRY(CheckPoolNames(state, clusters, *draft.default_pools));
  return {};
}

Result<OrgUnit> NewUnit(Txn& txn, const OrgUnitDraft& draft) {
  OrgUnit unit;
  unit.name = draft.name.value_or("");
  unit.cluster = draft.cluster.value_or(ClusterId{});
  if (!txn.state().Find<Cluster>(unit.cluster)) {
    return Fail(Code::kInvalid,
                fmt::format("clusterId: there is no cluster {}", FormatUuid(unit.cluster.value)),
                "see GET /api/v1/clusters for the ids");
  }
  YARD_TRY(CheckDraft(txn.state(), draft.clusters.value_or(Clusters{unit.cluster}), draft));
  ApplyDraft(unit, draft);
  unit.stamp = txn.NewStamp();
  return unit;
}

void EditQuotas(std::vector<PoolQuota>& current, const std::vector<PoolQuota>& quotas,
                QuotaEdit edit) {
  if (edit == QuotaEdit::kReplace) {
    current = quotas;
    return;
  }
  for (const PoolQuota& quota : quotas) {
    auto same = std::ranges::find(current, quota.pool, &PoolQuota::pool);
    if (same != current.end()) {
      *same = quota;
    } else {
      current.push_back(quota);
    }
  }
}

Result<DepartmentId> ParentOf(const State& state, const OrgUnitDraft& draft) {
  if (draft.department) {
    YARD_ASSIGN(Ptr<Department> parent, GetDepartment(state, *draft.department));
    if (parent->cluster == draft.cluster) return parent->id;
    return Fail(Code::kInvalid, "parentId: the department belongs to another cluster",
                "name a department of the project's own cluster");
  }
  std::optional<DepartmentId> found;
  state.Of<Department>().Each([&](const Department& department) {
    if (department.cluster == draft.cluster && department.name == kDefaultDepartment) {
      found = department.id;
    }
  });
  if (found) return *found;
  return Fail(Code::kInvalid, "parentId: say which department the project belongs to",
              "see GET /api/v1/org-unit/departments for the ids");
}

// Its work, quotas, rules and policies follow from the department it was made in.
Status CheckSameParent(const Project& current, const OrgUnitDraft& draft) {
  bool renamed = draft.requested_namespace && current.requested_namespace &&
                 *draft.requested_namespace != *current.requested_namespace;
  if (renamed) return Fixed("requestedNamespace", current.name, "namespace");
  if (!draft.department || *draft.department == current.department) return {};
  Error error{Code::kInvalid,
              fmt::format("parentId: project '{}' belongs to department {} and cannot be moved",
                          current.name, current.department.value),
              "make a project of another name in that department and delete this one"};
  error.fields.push_back({"parentId", "cannot be changed"});
  return Fail(std::move(error));
}

std::unexpected<Error> WrongClusters(std::string why, std::string next) {
  Error error{Code::kInvalid, "clusters: " + why, std::move(next)};
  error.fields.push_back({"clusters", std::move(why)});
  return Fail(std::move(error));
}

// Work stays in the cluster that has its files.
Status CheckUnused(const State& state, const Project& project, ClusterId cluster) {
  std::size_t there = 0;
  state.Of<Workload>().Each([&](const Workload& workload) {
    there += workload.project == project.id && workload.host() == cluster && !workload.deleted_at &&
             !IsFinal(workload.life);
  });
  if (there == 0) return {};
  return Fail(Code::kConflict,
              fmt::format("clusters: {} workloads of project '{}' belong to cluster {}", there,
                          project.name, FormatUuid(cluster.value)),
              "wait until they have ended, or delete them");
}

// Where the project's work may run. A cluster is lent by those who may change it.
Status SetClusters(Txn& txn, Project& project, const OrgUnitDraft& draft) {
  if (!draft.clusters) return {};
  const Clusters& wanted = *draft.clusters;
  if (wanted.empty() || wanted.front() != project.cluster)
    return WrongClusters("must begin with the project's clusterId", "name that cluster first");
  Clusters more;
  for (auto id = wanted.begin() + 1; id != wanted.end(); ++id) {
    if (!txn.state().Find<Cluster>(*id))
      return WrongClusters(fmt::format("there is no cluster {}", FormatUuid(id->value)),
                           "see GET /api/v1/clusters for the ids");
    if (std::find(wanted.begin(), id, *id) != id)
      return WrongClusters(fmt::format("cluster {} stands twice", FormatUuid(id->value)),
                           "name each cluster once");
    if (!Contains(project.more_clusters, *id))
      YARD_TRY(txn.Require(Resource::kCluster, Action::kUpdate, {.cluster = *id}));
    more.push_back(*id);
  }
  for (ClusterId id : project.more_clusters) {
    if (!Contains(more, id)) YARD_TRY(CheckUnused(txn.state(), project, id));
  }
  project.more_clusters = std::move(more);
  return {};
}

// Everything of a kind that belongs to a scope.
template <class T>
std::vector<T> AllAt(const State& state, const Scope& scope) {
  std::vector<T> found;
  state.Of<T>().Each([&](const T& object) {
    if (object.scope == scope) found.push_back(object);
  });
  return found;
}

void EraseRulesAndAssets(Txn& txn, const Scope& scope) {
  for (AccessRule& rule : AllAt<AccessRule>(txn.state(), scope)) {
    if (rule.deleted_at) continue;
    rule.deleted_at = txn.now();
    txn.Put(std::move(rule));
  }
  for (const Asset& asset : AllAt<Asset>(txn.state(), scope)) txn.Erase<Asset>(asset.id);
  for (const Policy& policy : AllAt<Policy>(txn.state(), scope)) txn.Erase<Policy>(policy.id);
  std::string host_access = HostAccessKey(scope);
  if (txn.state().Find<Setting>(host_access)) txn.Erase<Setting>(host_access);
}

}  // namespace

Result<Ptr<Department>> GetDepartment(const State& state, DepartmentId id) {
  if (Ptr<Department> department = state.Find<Department>(id)) return department;
  return Fail(Code::kNotFound, fmt::format("there is no department {}", id.value),
              "see GET /api/v1/org-unit/departments for the ids");
}

Result<Ptr<Project>> GetProject(const State& state, ProjectId id) {
  if (Ptr<Project> project = state.Find<Project>(id)) return project;
  return Fail(Code::kNotFound, fmt::format("there is no project {}", id.value),
              "see GET /api/v1/org-unit/projects for the ids");
}

Result<Ptr<Department>> CreateDepartment(Txn& txn, const OrgUnitDraft& draft) {
  YARD_TRY(txn.Require(Resource::kDepartment, Action::kCreate, {.cluster = draft.cluster}));
  YARD_ASSIGN(OrgUnit unit, NewUnit(txn, draft));
  YARD_TRY(CheckNameFree<Department>(txn.state(), unit.name, unit.cluster, "department"));
  Department department;
  static_cast<OrgUnit&>(department) = std::move(unit);
  department.id = DepartmentId{txn.Next("department")};
  if (draft.fairness) department.fairness = *draft.fairness;
  return txn.Put(std::move(department));
}

Result<Ptr<Department>> UpdateDepartment(Txn& txn, DepartmentId id, const OrgUnitDraft& draft) {
  YARD_ASSIGN(Ptr<Department> current, GetDepartment(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kDepartment, Action::kUpdate, txn.state().PathOf(*current)));
  YARD_TRY(CheckUnmoved(*current, draft));
  if (draft.department) return Fixed("parentId", current->name, "parent: departments have none");
  YARD_TRY(CheckDraft(txn.state(), {current->cluster}, draft));
  Department department = *current;
  ApplyDraft(department, draft);
  if (draft.fairness) department.fairness = *draft.fairness;
  txn.Touch(department.stamp);
  return txn.Put(std::move(department));
}

Result<Ptr<Department>> SetDepartmentQuota(Txn& txn, DepartmentId id,
                                           const std::vector<PoolQuota>& quotas, QuotaEdit edit) {
  YARD_ASSIGN(Ptr<Department> current, GetDepartment(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kDepartment, Action::kUpdate, txn.state().PathOf(*current)));
  YARD_TRY(CheckQuotas(txn.state(), {current->cluster}, quotas));
  Department department = *current;
  EditQuotas(department.resources, quotas, edit);
  txn.Touch(department.stamp);
  return txn.Put(std::move(department));
}

Status DeleteDepartment(Txn& txn, DepartmentId id) {
  YARD_ASSIGN(Ptr<Department> department, GetDepartment(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kDepartment, Action::kDelete, txn.state().PathOf(*department)));
  std::size_t projects = 0;
  txn.state().Of<Project>().Each(
      [&](const Project& project) { projects += project.department == id; });
  if (projects > 0) {
    return Fail(Code::kConflict,
                fmt::format("department '{}' still has {} projects", department->name, projects),
                "delete its projects first");
  }
  EraseRulesAndAssets(txn, Scope::Of(id));
  txn.Erase<Department>(id);
  return {};
}

Result<Ptr<Project>> CreateProject(Txn& txn, const OrgUnitDraft& draft) {
  YARD_ASSIGN(OrgUnit unit, NewUnit(txn, draft));
  YARD_ASSIGN(DepartmentId parent, ParentOf(txn.state(), draft));
  ScopePath where{.cluster = unit.cluster, .department = parent};
  YARD_TRY(txn.Require(Resource::kProject, Action::kCreate, where));
  YARD_TRY(CheckNotReserved(unit.name));
  YARD_TRY(CheckNameFree<Project>(txn.state(), unit.name, unit.cluster, "project"));
  Project project;
  static_cast<OrgUnit&>(project) = std::move(unit);
  project.id = ProjectId{txn.Next("project")};
  project.department = parent;
  project.requested_namespace = draft.requested_namespace;
  if (draft.work_access) project.work_access = *draft.work_access;
  YARD_TRY(SetClusters(txn, project, draft));
  return txn.Put(std::move(project));
}

Result<Ptr<Project>> UpdateProject(Txn& txn, ProjectId id, const OrgUnitDraft& draft) {
  YARD_ASSIGN(Ptr<Project> current, GetProject(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kProject, Action::kUpdate, txn.state().PathOf(*current)));
  YARD_TRY(CheckUnmoved(*current, draft));
  YARD_TRY(CheckSameParent(*current, draft));
  Project project = *current;
  YARD_TRY(SetClusters(txn, project, draft));
  YARD_TRY(CheckDraft(txn.state(), ClustersOf(project), draft));
  ApplyDraft(project, draft);
  if (draft.work_access) project.work_access = *draft.work_access;
  txn.Touch(project.stamp);
  return txn.Put(std::move(project));
}

Result<Ptr<Project>> SetProjectQuota(Txn& txn, ProjectId id, const std::vector<PoolQuota>& quotas,
                                     QuotaEdit edit) {
  YARD_ASSIGN(Ptr<Project> current, GetProject(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kProject, Action::kUpdate, txn.state().PathOf(*current)));
  YARD_TRY(CheckQuotas(txn.state(), ClustersOf(*current), quotas));
  Project project = *current;
  EditQuotas(project.resources, quotas, edit);
  txn.Touch(project.stamp);
  return txn.Put(std::move(project));
}

Status DeleteProject(Txn& txn, ProjectId id) {
  YARD_ASSIGN(Ptr<Project> project, GetProject(txn.state(), id));
  YARD_TRY(txn.Require(Resource::kProject, Action::kDelete, txn.state().PathOf(*project)));
  std::size_t live = txn.state().LiveWorkloads(id);
  if (live > 0) {
    return Fail(Code::kConflict,
                fmt::format("project '{}' still has {} workloads", project->name, live),
                "delete its workloads first");
  }
  EraseRulesAndAssets(txn, Scope::Of(id));
  EraseNotifyRulesOf(txn, id);
  EraseJobDefinitions(txn, id);
  EraseReservations(txn, [id](const Reservation& one) { return one.project == id; });
  txn.Erase<Project>(id);
  return {};
}

SchedulingRules EffectiveRules(const State& state, const Project& project) {
  SchedulingRules rules = project.rules.value_or(SchedulingRules{});
  Ptr<Department> department = state.Find<Department>(project.department);
  if (!department || !department->rules) return rules;
  const SchedulingRules& above = *department->rules;
  auto inherit = [](std::optional<std::int64_t>& own,
                    const std::optional<std::int64_t>& inherited) {
    if (!own) own = inherited;
  };
  inherit(rules.interactive_time_limit, above.interactive_time_limit);
  inherit(rules.interactive_max_idle, above.interactive_max_idle);
  inherit(rules.interactive_preempt_idle, above.interactive_preempt_idle);
  inherit(rules.training_max_idle, above.training_max_idle);
  inherit(rules.training_time_limit, above.training_time_limit);
  return rules;
}

std::vector<std::string> EffectivePools(const State& state, const Project& project) {
  if (project.default_pools && !project.default_pools->empty()) return *project.default_pools;
  Ptr<Department> department = state.Find<Department>(project.department);
  if (department && department->default_pools && !department->default_pools->empty())
    return *department->default_pools;
  std::vector<std::string> all;
  state.Of<NodePool>().Each([&](const NodePool& pool) {
    if (pool.cluster == project.cluster) all.push_back(pool.name);
  });
  return all;
}

}  // namespace yard::control

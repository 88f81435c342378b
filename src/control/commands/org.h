// Commands on the organisation: departments and projects.
//
// Each checks its caller's permission itself, on the newest state, and says exactly what is
// wrong with the request. Reactor thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/org.h"

namespace yard::control {

// What a client may set on a department or project.
struct OrgUnitDraft {
  std::optional<std::string> name;   // required to create; an update cannot change it
  std::optional<ClusterId> cluster;  // the same
  std::optional<std::string> description;
  std::vector<PoolQuota> resources;
  std::optional<SchedulingRules> rules;
  std::optional<std::vector<std::string>> default_pools;
  std::optional<NodeTypes> node_types;
  // Another value, or none in it for that of the level above. Left out, they stay as they are,
  // since clients of Run:ai do not know them.
  std::optional<std::optional<Fairness>> fairness;       // departments
  std::optional<std::optional<WorkAccess>> work_access;  // projects
  std::optional<std::optional<std::int64_t>> reclaim_min_runtime;
  std::optional<std::optional<std::int64_t>> preempt_min_runtime;
  std::optional<DepartmentId> department;  // projects: none means the cluster's default one
  std::optional<std::string> requested_namespace;
  // Projects: where its work may run, in order; the first is `cluster`. None: as it is.
  std::optional<std::vector<ClusterId>> clusters;
};

enum class QuotaEdit { kReplace, kMerge };  // kMerge touches only the pools that are named

Result<Ptr<Department>> CreateDepartment(Txn& txn, const OrgUnitDraft& draft);
Result<Ptr<Department>> UpdateDepartment(Txn& txn, DepartmentId id, const OrgUnitDraft& draft);
Result<Ptr<Department>> SetDepartmentQuota(Txn& txn, DepartmentId id,
                                           const std::vector<PoolQuota>& quotas, QuotaEdit edit);
// Refused while the department has projects.
Status DeleteDepartment(Txn& txn, DepartmentId id);

Result<Ptr<Project>> CreateProject(Txn& txn, const OrgUnitDraft& draft);
Result<Ptr<Project>> UpdateProject(Txn& txn, ProjectId id, const OrgUnitDraft& draft);
Result<Ptr<Project>> SetProjectQuota(Txn& txn, ProjectId id, const std::vector<PoolQuota>& quotas,
                                     QuotaEdit edit);
// Refused while the project has workloads that are not deleted. Its rules and assets go with it.
Status DeleteProject(Txn& txn, ProjectId id);

// Lookups that say what is missing.
Result<Ptr<Department>> GetDepartment(const State& state, DepartmentId id);
Result<Ptr<Project>> GetProject(const State& state, ProjectId id);

// The rules that hold in a project: its own, and where it has none its department's.
SchedulingRules EffectiveRules(const State& state, const Project& project);
// The names of the pools a project's work may use, in the order they are tried.
std::vector<std::string> EffectivePools(const State& state, const Project& project);

}  // namespace yard::control

#include "control/commands/bootstrap.h"

#include "base/strings.h"
#include "control/commands/org.h"
#include "control/commands/roles_predefined.h"

namespace yard::control {
namespace {

// Numbers below are kept for roles to come with the product.
constexpr std::int64_t kFirstCustomRole = 1001;

bool SameRole(const Role& a, const Role& b) {
  return a.name == b.name && a.description == b.description && a.permissions == b.permissions &&
         a.predefined == b.predefined;
}

void SyncRoles(Txn& txn) {
  for (Role role : PredefinedRoles()) {
    Ptr<Role> current = txn.state().Find<Role>(role.id);
    if (current && SameRole(*current, role)) continue;
    role.stamp = current ? current->stamp : txn.NewStamp();
    if (current) txn.Touch(role.stamp);
    txn.Put(std::move(role));
  }
  if (!txn.state().Find<Counter>("role")) {
    txn.Put(Counter{.id = "role", .next = kFirstCustomRole});
  }
}

void MakeOrganisation(Txn& txn) {
  Cluster cluster{.id = ClusterId{txn.NewUuid()}, .name = "local", .stamp = txn.NewStamp()};
  txn.Put(NodePool{.id = NodePoolId{txn.Next("node-pool")},
                   .name = "default",
                   .cluster = cluster.id,
                   .is_default = true,
                   .stamp = txn.NewStamp()});
  Department department;
  department.id = DepartmentId{txn.Next("department")};
  department.name = "default";
  department.cluster = cluster.id;
  department.stamp = txn.NewStamp();
  txn.Put(std::move(department));
  txn.Put(std::move(cluster));
}

void MakeAdministrator(Txn& txn, const BootstrapOptions& options) {
  std::string email = Lower(options.admin_email);
  txn.Put(User{.id = UserId{txn.NewUuid()},
               .email = email,
               .password_hash = options.admin_password_hash,
               .has_first_password = options.password == BootstrapOptions::Origin::kPrinted,
               .stamp = txn.NewStamp()});
  txn.Put(AccessRule{.id = AccessRuleId{txn.Next("access-rule")},
                     .subject_type = SubjectType::kUser,
                     .subject_id = email,
                     .role = kSystemAdministrator,
                     .scope = Scope::Tenant(),
                     .stamp = txn.NewStamp()});
}

template <class T>
Ptr<T> FirstOf(const State& state) {
  Ptr<T> first;
  state.Of<T>().Each([&](const T& object) {
    first = state.Find<T>(object.id);
    return false;
  });
  return first;
}

}  // namespace

bool NeedsBootstrap(const State& state) {
  return state.Of<User>().empty();
}

Status Bootstrap(Service& service, const BootstrapOptions& options) {
  return service.WriteAndWait(SystemPrincipal(), [&options](Txn& txn) -> Status {
    SyncRoles(txn);
    if (txn.state().Of<Cluster>().empty()) MakeOrganisation(txn);
    if (NeedsBootstrap(txn.state())) MakeAdministrator(txn, options);
    return {};
  });
}

Status MakeFirstProject(Service& service) {
  return service.WriteAndWait(SystemPrincipal(), [](Txn& txn) -> Status {
    const State& state = txn.state();
    Ptr<Department> department = FirstOf<Department>(state);
    Ptr<NodePool> pool = FirstOf<NodePool>(state);
    if (!state.Of<Project>().empty() || !department || !pool) return {};
    OrgUnitDraft draft{.name = "default", .cluster = department->cluster};
    draft.resources.push_back({.pool = pool->id});
    YARD_TRY(SetDepartmentQuota(txn, department->id, draft.resources, QuotaEdit::kMerge));
    YARD_TRY(CreateProject(txn, draft));
    return {};
  });
}

}  // namespace yard::control

// Commands on access rules, and the guard against giving away more than one has.
//
// Nobody may grant a role, or take over somebody who holds it, without holding every permission
// of that role at that scope. Rules are never edited: they are made and ended. Reactor thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/access.h"

namespace yard::control {

struct AccessRuleDraft {
  SubjectType subject_type = SubjectType::kUser;
  std::string subject;  // e-mail, user id, client id, application id, or group name
  RoleId role;
  Scope scope;
};

Result<Ptr<AccessRule>> CreateAccessRule(Txn& txn, const AccessRuleDraft& draft);
// Checked like granting. Refused if nobody would be left to administer the tenant.
Status DeleteAccessRule(Txn& txn, AccessRuleId id);
Result<Ptr<AccessRule>> GetAccessRule(const State& state, AccessRuleId id);

// The name that rules use for a subject: kNotFound if there is no such user or application.
Result<std::string> ResolveSubject(const State& state, SubjectType type, std::string_view subject);

// kForbidden unless the caller holds those permissions of the role that rule over others
// (organisation, machines, people, policies) there. Work itself may be handed out without doing it.
Status RequireMayGrant(Txn& txn, const Role& role, const ScopePath& where);
// kForbidden unless the caller holds every permission of the role there.
Status RequireHolds(Txn& txn, const Role& role, const ScopePath& where);
// The same for every role the subject has been given.
Status RequireHoldsAllOf(Txn& txn, SubjectType type, std::string_view subject);

// Ends every rule that names the subject.
void EndRulesOf(Txn& txn, SubjectType type, std::string_view subject);

// kConflict unless some user is System administrator of the whole tenant. Call after a change.
Status CheckAdministratorLeft(const State& state);

}  // namespace yard::control

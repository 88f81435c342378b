#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/assets/policies_views.h"
#include "api/groups.h"
#include "base/strings.h"

namespace yard::api {
namespace {

using control::PolicyChange;
using control::State;
using control::Txn;

struct TypeRow {
  PolicyType type;
  std::string_view path;
};
constexpr TypeRow kTypes[] = {{PolicyType::kWorkspace, "/api/v2/policy/workspaces"},
                              {PolicyType::kTraining, "/api/v2/policy/trainings"},
                              {PolicyType::kDistributed, "/api/v2/policy/distributed"},
                              {PolicyType::kInference, "/api/v2/policy/inferences"}};

PolicyType TypeOf(const Call& call) {
  for (const TypeRow& row : kTypes) {
    if (row.path == call.route().path) return row.type;
  }
  return PolicyType::kWorkspace;
}

Result<Answer> ListPolicies(Call& call) {
  YARD_ASSIGN(std::optional<Scope> scope, OptionalScope(call));
  std::optional<std::string_view> type = call.Query("workloadType");
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("policies");
  w.BeginList();
  call.state().Of<Policy>().Each([&](const Policy& policy) {
    if (type && !EqualsIgnoreCase(wire::ToName(policy.type), *type)) return;
    if (scope && policy.scope != *scope) return;
    if (!SeesPolicy(call, policy.scope)) return;
    w.Item();
    WritePolicyEntry(w, call.state(), policy);
  });
  w.EndList();
  w.End();
  call.NeedsNoScope();  // each entry was checked on its own
  return Json(std::move(out));
}

Result<Answer> GetPolicy(Call& call) {
  YARD_ASSIGN(Scope scope, ScopeOf(call));
  std::optional<ScopePath> path = call.state().PathOf(scope);
  if (!path) return Fail(Code::kNotFound, "there is no such scope");
  if (!SeesPolicy(call, scope)) YARD_TRY(call.Require(*path));
  call.NeedsNoScope();
  if (!control::EffectiveAt(call.state(), TypeOf(call), scope).updated_at) {
    return Fail(Code::kNotFound, "no policy holds at this scope",
                "make one with PUT, here or at a scope above");
  }
  return PolicyReply(call.state(), TypeOf(call), scope);
}

Result<Answer> ChangePolicy(Call& call, control::PolicyEdit edit) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(PolicyChange change, ReadChange(body));
  change.draft.type = TypeOf(call);
  change.edit = edit;
  if (call.Query("validateOnly") == "true") {
    YARD_TRY(call.Require(call.state().PathOf(change.draft.scope).value_or(ScopePath{})));
    YARD_ASSIGN(Policy preview, control::PreviewPolicy(call.state(), change));
    preview.stamp = {call.now(), call.who().id, call.now(), call.who().id};
    return PreviewReply(preview);
  }
  return Commit([change](Txn& txn) { return control::SetPolicy(txn, change); },
                [&call](const Ptr<Policy>& policy) {
                  return PolicyReply(*call.service().Read(), policy->type, policy->scope);
                });
}

Result<Answer> OverwritePolicy(Call& call) {
  return ChangePolicy(call, control::PolicyEdit::kReplace);
}
Result<Answer> PatchPolicy(Call& call) {
  return ChangePolicy(call, control::PolicyEdit::kMerge);
}

Result<Answer> DeletePolicy(Call& call) {
  YARD_ASSIGN(Scope scope, ScopeOf(call));
  PolicyType type = TypeOf(call);
  return Commit([type, scope](Txn& txn) { return control::DeletePolicy(txn, type, scope); },
                [] { return Empty(204); });
}

std::vector<QueryParameter> ScopeParameters() {
  return {{"scope", "tenant|cluster|department|project", true},
          {"projectId", "string"},
          {"departmentId", "string"},
          {"clusterId", "uuid"}};
}

}  // namespace

void AddPolicyRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Resource kPolicies = Resource::kPolicies;
  std::vector<QueryParameter> filters{{"workloadType", "Workspace|Training|Distributed|Inference"},
                                      {"scope", "tenant|cluster|department|project"},
                                      {"projectId", "string"},
                                      {"departmentId", "string"},
                                      {"clusterId", "uuid"},
                                      {"includeFallbackPolicies", "bool"}};
  std::vector<QueryParameter> dry{{"validateOnly", "bool"}};
  routes.push_back({kGet, "/api/v2/policy", May(Action::kRead, kPolicies), ListPolicies,
                    "List policies", "", "PolicyList", 200, filters});
  for (const TypeRow& row : kTypes) {
    routes.push_back({kGet, row.path, May(Action::kRead, kPolicies), GetPolicy,
                      "Get the policy of a scope", "", "PolicyAnswer", 200, ScopeParameters()});
    routes.push_back({kPut, row.path, May(Action::kUpdate, kPolicies), OverwritePolicy,
                      "Overwrite the policy of a scope", "PolicyOverwrite", "PolicyAnswer", 200,
                      dry});
    routes.push_back({kPatch, row.path, May(Action::kUpdate, kPolicies), PatchPolicy,
                      "Change the policy of a scope", "PolicyPatch", "PolicyAnswer", 200, dry});
    routes.push_back({kDelete, row.path, May(Action::kDelete, kPolicies), DeletePolicy,
                      "Delete the policy of a scope", "", "", 204, ScopeParameters()});
  }
}

}  // namespace yard::api

#include "api/assets/policies_views.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/strings.h"
#include "wire/infra.h"
#include "wire/reader.h"

namespace yard::api {
namespace {

using control::State;

void WriteMeta(wire::Writer& w, const Policy& policy) {
  w.Key("meta");
  w.Begin();
  w("id", policy.id);
  w("name", policy.name);
  wire::WriteScope(w, policy.scope);
  w("tenantId", wire::kTenantId);
  w("createdBy", policy.stamp.created_by);
  w("createdAt", policy.stamp.created_at);
  w("updatedBy", policy.stamp.updated_by);
  w("updatedAt", policy.stamp.updated_at);
  w.End();
}

bool Reaches(const State& state, const Scope& scope, ClusterId cluster) {
  std::optional<ScopePath> path = state.PathOf(scope);
  return path && (!path->cluster || *path->cluster == cluster);
}

}  // namespace

Result<std::optional<Scope>> OptionalScope(const Call& call) {
  if (!call.Query("scope")) return std::optional<Scope>();
  json::object query;
  for (std::string_view key : {"scope", "projectId", "departmentId", "clusterId"}) {
    if (auto value = call.Query(key)) query[key] = *value;
  }
  if (!wire::FromName<ScopeType>(*call.Query("scope"))) {
    return Fail(Code::kInvalid, "scope must be one of tenant, cluster, department, project");
  }
  YARD_ASSIGN(Scope scope, wire::ReadScope(query));
  return std::optional(scope);
}

Result<Scope> ScopeOf(const Call& call) {
  YARD_ASSIGN(std::optional<Scope> scope, OptionalScope(call));
  if (scope) return *scope;
  return Fail(Code::kInvalid, "scope is required",
              "give scope=tenant, or scope=cluster|department|project with its id");
}

bool SeesPolicy(const Call& call, const Scope& scope) {
  std::optional<ScopePath> at = call.state().PathOf(scope);
  if (!at) return false;
  control::Access access(call.state(), call.who());
  for (const ScopePath& path : access.Where(Resource::kPolicies, Action::kRead)) {
    if (path.Covers(*at) || at->Covers(path)) return true;
  }
  return false;
}

Result<control::PolicyChange> ReadChange(const json::object& body) {
  control::PolicyChange change;
  const json::object& meta = body.at("meta").as_object();
  YARD_ASSIGN(change.draft.scope, wire::ReadScope(meta));
  std::vector<FieldIssue> issues;
  wire::Reader(meta, "meta", issues)("name", change.draft.name);
  wire::Reader(body, "", issues)("reset", change.reset);
  const json::value* policy = body.if_contains("policy");
  if (policy == nullptr || !policy->is_object()) return change;
  json::object kept;
  for (std::string_view key : {"defaults", "rules", "imposedAssets"}) {
    const json::value* part = policy->get_object().if_contains(key);
    if (part != nullptr && !part->is_null()) kept[key] = *part;
  }
  change.draft.policy.json = JsonText(kept);
  return change;
}

http::Reply PolicyReply(const State& state, PolicyType type, const Scope& scope) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  if (Ptr<Policy> own = control::FindPolicy(state, type, scope)) {
    WriteMeta(w, *own);
    w("policy", own->policy);
  }
  control::EffectiveView effective = control::EffectiveAt(state, type, scope);
  w.Key("effective");
  w.Raw(effective.json);
  w("effectiveUpdatedAt", effective.updated_at);
  w.End();
  return Json(std::move(out));
}

http::Reply PreviewReply(const Policy& policy) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  WriteMeta(w, policy);
  w("policy", policy.policy);
  w.End();
  return Json(std::move(out));
}

void WritePolicyEntry(wire::Writer& w, const State& state, const Policy& policy) {
  w.Begin();
  w("type", policy.type);
  WriteMeta(w, policy);
  w.Key("status");
  w.Begin();
  w.Key("clusters");
  w.BeginList();
  state.Of<Cluster>().Each([&](const Cluster& cluster) {
    if (!Reaches(state, policy.scope, cluster.id)) return;
    w.Item();
    w.Begin();
    w("clusterId", cluster.id);
    w("status", "Ready");  // policies are applied at submission, so they hold at once
    w.End();
  });
  w.EndList();
  w.End();
  w.End();
}

}  // namespace yard::api

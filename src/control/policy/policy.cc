#include "control/policy/policy.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/strings.h"
#include "control/commands/assets.h"
#include "control/policy/engine.h"
#include "control/policy/masked_urls.h"
#include "control/policy/values.h"
#include "wire/asset.h"
#include "wire/asset_links.h"

namespace yard::control {
namespace {

std::string DescribeScope(const Scope& scope) {
  switch (scope.type) {
    case ScopeType::kProject:
      return "project " + scope.id;
    case ScopeType::kDepartment:
      return "department " + scope.id;
    case ScopeType::kCluster:
      return "cluster " + scope.id;
    case ScopeType::kSystem:
    case ScopeType::kTenant:
      break;
  }
  return "the tenant";
}

json::object ParseObject(std::string_view text) {
  Result<json::value> value = ParseJson(text);
  return value && value->is_object() ? std::move(value->get_object()) : json::object();
}

std::vector<Ptr<Policy>> PoliciesDownTo(const State& state, PolicyType type, const Scope& scope) {
  std::vector<Ptr<Policy>> found;
  if (state.Of<Policy>().empty()) return found;
  for (const Scope& level : ScopesDownTo(state, scope)) {
    if (Ptr<Policy> policy = FindPolicy(state, type, level)) found.push_back(std::move(policy));
  }
  return found;
}

json::object Combine(const std::vector<Ptr<Policy>>& policies) {
  std::vector<json::object> documents;
  documents.reserve(policies.size());
  for (const Ptr<Policy>& policy : policies) documents.push_back(ParseObject(policy->policy.json));
  std::vector<PolicyLayer> layers;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    layers.push_back({policies[i]->scope, &documents[i]});
  }
  return EffectivePolicy(layers);
}

// The part of a distributed policy that is about one kind of pod.
json::object ForReplica(const json::object& policy, Replica replica) {
  std::string_view key = replica == Replica::kWorker ? "worker" : "master";
  json::object part;
  for (const auto& [name, value] : policy) {
    const json::object* both = value.if_object();
    const json::value* own = both == nullptr ? nullptr : ValueIn(*both, key);
    if (own != nullptr) part[name] = *own;
  }
  return part;
}

// Nothing if no policy holds for this submission.
std::optional<json::object> PolicyFor(const State& state, const Submission& submission) {
  std::vector<Ptr<Policy>> policies =
      PoliciesDownTo(state, submission.type, Scope::Of(submission.project));
  if (policies.empty()) return std::nullopt;
  json::object combined = Combine(policies);
  if (submission.type != PolicyType::kDistributed) return combined;
  return ForReplica(combined, submission.replica);
}

Ptr<Asset> FindAsset(const State& state, const json::value& id) {
  std::optional<Uuid> uuid =
      id.is_string() ? ParseUuid(std::string_view(id.get_string())) : std::nullopt;
  return uuid ? state.Find<Asset>(AssetId{*uuid}) : nullptr;
}

std::vector<Ptr<Asset>> ImposedSources(const State& state, const json::object& policy) {
  std::vector<Ptr<Asset>> sources;
  const json::array* ids = ListIn(policy, "imposedAssets");
  if (ids == nullptr) return sources;
  for (const json::value& id : *ids) {
    Ptr<Asset> asset = FindAsset(state, id);
    if (asset && IsDataSource(asset->kind)) sources.push_back(std::move(asset));
  }
  return sources;
}

// What a spec says itself: one that was stored, and is changed or sent again, holds the imposed
// items already, and no rule is about those.
json::object WithoutImposed(const State& state, const json::object& policy, json::object spec) {
  json::value* storage = spec.if_contains("storage");
  if (storage == nullptr || !storage->is_object()) return spec;
  for (const Ptr<Asset>& asset : ImposedSources(state, policy)) {
    json::value* list = storage->get_object().if_contains(wire::StorageKeyOf(asset->kind));
    if (list == nullptr || !list->is_array()) continue;
    json::array kept;
    for (json::value& item : list->get_array()) {
      if (ItemName(item) != asset->name) kept.push_back(std::move(item));
    }
    *list = std::move(kept);
  }
  return spec;
}

void Impose(const State& state, const json::object& policy, json::object& spec) {
  for (const Ptr<Asset>& asset : ImposedSources(state, policy)) {
    if (!spec["storage"].is_object()) spec["storage"] = json::object();
    json::value& list = spec["storage"].as_object()[wire::StorageKeyOf(asset->kind)];
    if (!list.is_array()) list = json::array();
    json::object item = ParseObject(asset->spec.json);
    item["name"] = asset->name;
    if (json::object* same = FindItem(list.as_array(), asset->name)) {
      *same = std::move(item);
    } else {
      list.as_array().push_back(std::move(item));
    }
  }
}

Error NotCompliant(std::vector<FieldIssue> issues) {
  Error error{.code = Code::kInvalid, .message = "the workload does not comply with the policy: "};
  for (std::size_t i = 0; i < issues.size(); ++i) {
    issues[i].field = "spec." + issues[i].field;
    error.message += fmt::format("{}{} {}", i == 0 ? "" : "; ", issues[i].field, issues[i].problem);
  }
  error.details = "correct the named fields; GET /api/v2/policy shows the rules and their source";
  error.fields = std::move(issues);
  return error;
}

// Nothing wrong: success.
Status Refuse(std::string_view why, std::vector<FieldIssue> issues) {
  if (issues.empty()) return {};
  Error error{.code = Code::kInvalid,
              .message = fmt::format("{}{} {}", why, issues[0].field, issues[0].problem),
              .details = "correct the named fields and send the policy again"};
  error.fields = std::move(issues);
  return Fail(std::move(error));
}

// Only what could be used there anyway: an imposed asset shows its spec in every workload.
Status CheckImposed(const State& state, const json::value& imposed, const ScopePath& where) {
  if (const json::object* replicas = imposed.if_object()) {
    for (const auto& [replica, ids] : *replicas) YARD_TRY(CheckImposed(state, ids, where));
    return {};
  }
  const json::array* ids = imposed.if_array();
  if (ids == nullptr) return {};
  for (const json::value& id : *ids) {
    Ptr<Asset> asset = FindAsset(state, id);
    std::optional<ScopePath> at = asset ? state.PathOf(asset->scope) : std::nullopt;
    if (!at || !at->Covers(where) || !IsDataSource(asset->kind)) {
      return Fail(Code::kInvalid,
                  fmt::format("policy.imposedAssets: {} is not a data source that can be imposed "
                              "here",
                              Show(id)),
                  "see GET /api/v1/asset/datasource for the ids");
    }
    if (!wire::LinksIn(*asset).empty()) {
      return Fail(Code::kInvalid,
                  fmt::format("policy.imposedAssets: '{}' uses a credential", asset->name),
                  "only data sources without credentials can be imposed");
    }
  }
  return {};
}

void RemoveAt(json::object& root, std::string_view path) {
  std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    root.erase(path);
    return;
  }
  json::value* inner = root.if_contains(path.substr(0, dot));
  if (inner != nullptr && inner->is_object()) {
    RemoveAt(inner->as_object(), path.substr(dot + 1));
  }
}

// Lays `from` over `into`: objects member by member, null takes a member away.
void Overlay(json::object& into, const json::object& from) {
  for (const auto& [key, value] : from) {
    json::value* old = into.if_contains(key);
    if (value.is_null()) {
      into.erase(key);
    } else if (old != nullptr && old->is_object() && value.is_object()) {
      Overlay(old->as_object(), value.as_object());
    } else {
      into[key] = value;
    }
  }
}

json::object Merged(const Policy* current, const PolicyChange& change) {
  json::object sent = ParseObject(change.draft.policy.json);
  if (change.edit == PolicyEdit::kReplace || current == nullptr) return sent;
  json::object merged = ParseObject(current->policy.json);
  for (const std::string& field : change.reset) {
    std::string_view path = field;
    if (path.starts_with("policy.")) path.remove_prefix(7);
    RemoveAt(merged, path);
  }
  Overlay(merged, sent);
  return merged;
}

Status KeepCredentials(json::object& document, const Policy* current) {
  json::value sent(document);
  json::value before(current == nullptr ? json::object() : ParseObject(current->policy.json));
  YARD_TRY(Unmask(sent, &before, "policy"));
  document = std::move(sent.get_object());
  return {};
}

}  // namespace

PolicyType PolicyTypeOf(WorkloadType type) {
  switch (type) {
    case WorkloadType::kWorkspace:
      return PolicyType::kWorkspace;
    case WorkloadType::kTraining:
      return PolicyType::kTraining;
    case WorkloadType::kDistributed:
      return PolicyType::kDistributed;
    case WorkloadType::kInference:
      return PolicyType::kInference;
  }
  return PolicyType::kWorkspace;
}

Ptr<Policy> FindPolicy(const State& state, PolicyType type, const Scope& scope) {
  Ptr<Policy> found;
  state.Of<Policy>().Each([&](const Policy& policy) {
    if (policy.type != type || policy.scope != scope) return true;
    found = state.Find<Policy>(policy.id);
    return false;
  });
  return found;
}

std::vector<Scope> ScopesDownTo(const State& state, const Scope& scope) {
  std::vector<Scope> scopes{Scope::Tenant()};
  std::optional<ScopePath> path = state.PathOf(scope);
  if (!path) return scopes;
  if (path->cluster) scopes.push_back(Scope::Of(*path->cluster));
  if (path->department) scopes.push_back(Scope::Of(*path->department));
  if (path->project) scopes.push_back(Scope::Of(*path->project));
  return scopes;
}

Result<std::string> ApplyPolicy(const State& state, const Submission& submission,
                                std::string_view spec_json) {
  std::optional<json::object> policy = PolicyFor(state, submission);
  // Even without a policy a client may mark items it does not want.
  if (!policy && spec_json.find("\"exclude\"") == std::string_view::npos) {
    return std::string(spec_json);
  }
  if (!policy) policy.emplace();
  json::object sent = ParseObject(spec_json);
  std::vector<FieldIssue> issues = Check(WithoutImposed(state, *policy, sent), *policy);
  if (!issues.empty()) return Fail(NotCompliant(std::move(issues)));
  json::object spec = ApplyDefaults(sent, *policy);
  Impose(state, *policy, spec);
  return JsonText(spec);
}

Result<std::vector<FieldIssue>> Compliance(const State& state, const Submission& submission,
                                           std::string_view spec_json) {
  if (!state.Find<Project>(submission.project)) {
    return Fail(Code::kNotFound, fmt::format("there is no project {}", submission.project.value));
  }
  std::optional<json::object> policy = PolicyFor(state, submission);
  if (!policy) return std::vector<FieldIssue>();
  return Check(ParseObject(spec_json), *policy);
}

EffectiveView EffectiveAt(const State& state, PolicyType type, const Scope& scope) {
  std::vector<Ptr<Policy>> policies = PoliciesDownTo(state, type, scope);
  EffectiveView view{.json = JsonText(Combine(policies))};
  for (const Ptr<Policy>& policy : policies) {
    view.updated_at = std::max(view.updated_at.value_or(Time{}), policy->stamp.updated_at);
  }
  return view;
}

Result<Policy> PreviewPolicy(const State& state, const PolicyChange& change) {
  const PolicyDraft& draft = change.draft;
  std::optional<ScopePath> where = state.PathOf(draft.scope);
  if (draft.scope.type == ScopeType::kSystem || !where) {
    return Fail(Code::kInvalid,
                fmt::format("meta.scope: there is no {}", DescribeScope(draft.scope)),
                "name an existing scope: tenant, cluster, department or project with its id");
  }
  Ptr<Policy> current = FindPolicy(state, draft.type, draft.scope);
  json::object document = Merged(current.get(), change);
  YARD_TRY(KeepCredentials(document, current.get()));
  bool per_replica = draft.type == PolicyType::kDistributed;
  YARD_TRY(
      Refuse("the policy names what is not there: ",
             UnknownFields(document, per_replica ? PolicyParts::kPerReplica : PolicyParts::kOne)));
  YARD_TRY(Refuse("the policy contradicts itself: ", CheckPolicy(document)));
  if (const json::value* imposed = ValueIn(document, "imposedAssets")) {
    YARD_TRY(CheckImposed(state, *imposed, *where));
  }
  Policy policy = current ? *current : Policy{.type = draft.type, .scope = draft.scope};
  policy.name = draft.name;
  policy.policy.json = JsonText(document);
  return policy;
}

Result<Ptr<Policy>> SetPolicy(Txn& txn, const PolicyChange& change) {
  std::optional<ScopePath> where = txn.state().PathOf(change.draft.scope);
  Ptr<Policy> current = FindPolicy(txn.state(), change.draft.type, change.draft.scope);
  Action action = current ? Action::kUpdate : Action::kCreate;
  if (where) YARD_TRY(txn.Require(Resource::kPolicies, action, *where));
  YARD_ASSIGN(Policy policy, PreviewPolicy(txn.state(), change));
  if (current) {
    txn.Touch(policy.stamp);
  } else {
    policy.id = PolicyId{txn.NewUuid()};
    policy.stamp = txn.NewStamp();
  }
  return txn.Put(std::move(policy));
}

Status DeletePolicy(Txn& txn, PolicyType type, const Scope& scope) {
  std::optional<ScopePath> where = txn.state().PathOf(scope);
  if (where) YARD_TRY(txn.Require(Resource::kPolicies, Action::kDelete, *where));
  Ptr<Policy> policy = FindPolicy(txn.state(), type, scope);
  if (!policy) {
    return Fail(Code::kNotFound, fmt::format("{} has no such policy", DescribeScope(scope)));
  }
  txn.Erase<Policy>(policy->id);
  return {};
}

}  // namespace yard::control

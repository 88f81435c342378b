// Commands on policies, and the policies in force for a submission.
//
// Commands run on the reactor thread; the other functions only read a State.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "control/state/txn.h"
#include "model/asset.h"
#include "model/scope.h"
#include "model/workload.h"

namespace yard::control {

// Distributed work has two kinds of pod with rules of their own.
enum class Replica { kWorker, kMaster };

// What one spec is submitted as.
struct Submission {
  PolicyType type = PolicyType::kWorkspace;
  ProjectId project;
  Replica replica = Replica::kWorker;  // distributed only
};

PolicyType PolicyTypeOf(WorkloadType type);

// A submission's spec (a JSON object as text) after the policies of its project: defaults filled
// in, imposed data sources added, excluded items dropped. kInvalid with one issue per field
// ("spec.compute.gpuDevicesRequest") if it does not comply.
Result<std::string> ApplyPolicy(const State& state, const Submission& submission,
                                std::string_view spec_json);
inline Result<std::string> ApplyPolicy(const State& state, PolicyType type, ProjectId project,
                                       std::string_view spec_json) {
  return ApplyPolicy(state, Submission{type, project}, spec_json);
}

// Everything in which a spec does not comply; for previews, where nothing is submitted.
Result<std::vector<FieldIssue>> Compliance(const State& state, const Submission& submission,
                                           std::string_view spec_json);

// The policy of exactly this scope, or null.
Ptr<Policy> FindPolicy(const State& state, PolicyType type, const Scope& scope);

// The scopes from the tenant down to `scope`, itself included.
std::vector<Scope> ScopesDownTo(const State& state, const Scope& scope);

// All policies that hold at a scope, combined (see control/policy_engine.h), as JSON text.
struct EffectiveView {
  std::string json;
  std::optional<Time> updated_at;  // of the policy changed last; none: there is no policy
};
EffectiveView EffectiveAt(const State& state, PolicyType type, const Scope& scope);

struct PolicyDraft {
  PolicyType type = PolicyType::kWorkspace;
  Scope scope;
  std::string name;
  Document policy;
};

enum class PolicyEdit { kReplace, kMerge };

// A change to the policy of one scope. kMerge lays the draft over what is there, field by field.
struct PolicyChange {
  PolicyDraft draft;
  PolicyEdit edit = PolicyEdit::kReplace;
  std::vector<std::string> reset = {};  // kMerge: dotted fields taken out first
};

// Creates the policy of a scope or changes the one that is there.
Result<Ptr<Policy>> SetPolicy(Txn& txn, const PolicyChange& change);
// What SetPolicy would store, without storing it.
Result<Policy> PreviewPolicy(const State& state, const PolicyChange& change);
Status DeletePolicy(Txn& txn, PolicyType type, const Scope& scope);

}  // namespace yard::control

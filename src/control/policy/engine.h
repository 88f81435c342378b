// What policies mean: which defaults a submission gets and which rules it must meet.
//
// A policy is a JSON object {defaults, rules, imposedAssets}. `defaults` mirrors a workload's
// spec, except that a list of items is written {attributes, instances}: values for every item,
// and items for every workload. `rules` mirrors the spec too, with a rule in place of each value:
// {required, canEdit, options, min, max, step, defaultFrom}, or for a list of items
// {attributes, instances: {canAdd, locked}}.
// Pure functions; any thread.
#pragma once

#include <span>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "model/scope.h"

namespace yard::control {

// One policy on the way from the tenant down to a project.
struct PolicyLayer {
  Scope scope;
  const json::object* policy;
};

// One policy out of many; `layers` start at the tenant. Defaults: the closest layer wins. Rules:
// in compute and security the highest wins, elsewhere the closest. Each rule of the answer names
// its layer in `sourceOfRule`.
json::object EffectivePolicy(std::span<const PolicyLayer> layers);

// The spec as it will be carried out: with defaults filled in and without the items that are
// marked `exclude`.
json::object ApplyDefaults(const json::object& spec, const json::object& policy);

// Everything in which a spec, as it was sent, does not comply. Fields are dotted paths within it.
std::vector<FieldIssue> Check(const json::object& spec, const json::object& policy);

// What is wrong with a policy itself: bounds that exclude each other, a default its own rule
// refuses.
std::vector<FieldIssue> CheckPolicy(const json::object& policy);

// Names in defaults and rules that no spec and no rule has, with the nearest that it could have
// been. Those of list items are left alone. Distributed work has a part for each kind of pod.
enum class PolicyParts { kOne, kPerReplica };
std::vector<FieldIssue> UnknownFields(const json::object& policy, PolicyParts parts);

}  // namespace yard::control

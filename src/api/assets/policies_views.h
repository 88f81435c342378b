// How policies look in answers and requests.
#pragma once

#include <optional>

#include "api/handler.h"
#include "control/policy/policy.h"
#include "wire/asset.h"

namespace yard::api {

// The scope in the query: required, or nothing if none was given.
Result<Scope> ScopeOf(const Call& call);
Result<std::optional<Scope>> OptionalScope(const Call& call);

// Policies reach down: who may read policies at a scope or below it sees those of the scope.
bool SeesPolicy(const Call& call, const Scope& scope);

// A request's {meta, policy, reset}; type and edit are the route's to fill in.
Result<control::PolicyChange> ReadChange(const json::object& body);

// The policy of a scope, if it has one of its own, and what holds there in all.
http::Reply PolicyReply(const control::State& state, PolicyType type, const Scope& scope);
// A policy that was validated but not stored.
http::Reply PreviewReply(const Policy& policy);

void WritePolicyEntry(wire::Writer& w, const control::State& state, const Policy& policy);

}  // namespace yard::api

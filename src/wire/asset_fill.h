// What assets say, laid under the spec of a workload.
//
// Invariants: what the spec says itself stays; filling twice changes nothing. Pure; any thread.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "model/asset.h"

namespace yard::wire {

// Image, command, variables, tools and identity of an environment.
void FillFromEnvironment(json::object& spec, const json::object& environment);

// GPUs are taken together: a spec that asks for its own takes none of the asset's.
void FillFromCompute(json::object& spec, const json::object& compute);

// What a template says beside its assets.
void FillFromTemplate(json::object& spec, const json::object& own);

// Mounts a data source, at `path` if that is not empty. One of the same name is there already.
// kInvalid if this kind cannot be mounted.
Status FillFromDataSource(json::object& spec, const Asset& asset, std::string_view path);

}  // namespace yard::wire

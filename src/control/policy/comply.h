// From the specs that somebody sends to those that a workload carries: policies applied, checked,
// read. The one way a spec enters or changes. Only reads the State; any thread.
#pragma once

#include <functional>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "control/state/state.h"
#include "model/spec/spec.h"
#include "model/workload.h"

namespace yard::control {

// The specs of a submission, valid against their schema; null: not sent.
struct SentSpecs {
  const json::object* spec = nullptr;
  const json::object* master = nullptr;  // distributed work with a master of its own
};
Status Comply(const State& state, Workload& workload, const SentSpecs& sent);

// The same for specs that the workload carries already, under the policies of now.
Status ComplyAgain(const State& state, Workload& workload);

// Changes single fields of the spec. The workload's own figures (rules, priority) are the
// caller's.
Status ChangeSpec(const State& state, Workload& workload, const SpecChange& change);

// Lays the fields of a patch over the spec and reads all of it again. `may_change` is asked with
// the name of each field that changes the process itself, and not only its size or its address.
using MayChange = std::function<Status(std::string_view field)>;
Status PatchSpec(const State& state, Workload& workload, const Document& fields,
                 const MayChange& may_change);

}  // namespace yard::control

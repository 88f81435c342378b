// From the body of a submission to a draft, policies applied. I/O threads.
#pragma once

#include "api/handler.h"
#include "control/commands/workloads.h"

namespace yard::api {

// `body` is valid against the schema of its kind. Checks that the caller may create such work in
// the project it names.
Result<control::WorkloadDraft> ReadDraft(Call& call, WorkloadType type, const json::object& body);

}  // namespace yard::api

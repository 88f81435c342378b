// Waiting work with other wishes: submitted anew as it is but for the changes, and the old one
// cancelled once the new one is accepted.
#pragma once

#include <string>

#include "base/json.h"
#include "cli/session.h"
#include "cli/submit/spec.h"
#include "client/client.h"

namespace yard::cli {

struct Replacement {
  Spec changes;
  bool any_node_type = false;  // on nodes of whatever type
  bool as_training = false;    // instead of a workspace
};

// The new one's name. Only work that waits can be replaced.
client::Outcome<std::string> Replace(Session& session, const json::value& workload,
                                     const Replacement& replacement);

// The submission of a record of the API with the changes made. Pure.
json::object Replaced(const json::object& record, const Replacement& replacement);

}  // namespace yard::cli

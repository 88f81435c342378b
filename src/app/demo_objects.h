// What the demo's people have made besides work: a policy, a credential, runs and a study.
//
// Made through the server's own API, since runs and studies are no part of the journal.
#pragma once

#include <string>

#include "client/client.h"

namespace yard::app {

// Blocks. `password` is that of every account.
client::Outcome<void> MakeDemoObjects(const std::string& socket, const std::string& password,
                                      Time now);

}  // namespace yard::app

// A line for each request and its answer, for people who look for an error. Neither tokens nor
// bodies are shown.
#pragma once

#include <iosfwd>

namespace yard::client {

// For the whole process; called before the first request. `to` outlives every client.
void TraceRequests(std::ostream& to);

}  // namespace yard::client

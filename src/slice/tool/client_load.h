// Loads the client can make: random allocations, and kernels.
#pragma once

#include <istream>
#include <string>

#include "slice/tool/client_driver.h"

namespace yard::slice::client {

// "SEED COUNT": random allocations and frees of every kind. Answers "0 ok refused".
std::string Random(Driver& driver, std::istream& words);

// "SECONDS SEED MAX_BYTES": allocates and frees linear memory. Answers
// "0 allocations refused p50_ns p99_ns".
std::string Hammer(Driver& driver, std::istream& words);

// "COUNT MICROSECONDS SYNC_EACH": fake kernels of that length. Answers "0 wall_ns".
std::string Launch(Driver& driver, std::istream& words);

// "SECONDS MICROSECONDS SYNC_EACH": fake kernels for a while. Answers "0 launches".
std::string Spin(Driver& driver, std::istream& words);

// "SECONDS MICROSECONDS NODES": launches a captured graph of fake kernels for a while. Answers
// "0 launches drain_ns", the last being how long the stream then took to finish.
std::string GraphSpin(Driver& driver, std::istream& words);

// "COUNT ROUNDS": that many threads at once, each with allocations of every kind, launches on the
// stream all share and on streams that come and go. Answers with the worst code.
std::string Threads(const Driver& driver, std::istream& words);

}  // namespace yard::slice::client

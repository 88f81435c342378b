// How a receiver knows that a message is ours: HMAC-SHA256 over the time and the body.
//
// The header says "v1=" and the code in hex. The time is signed along with the body, so that a
// message somebody recorded is worth nothing later. Pure functions; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace yard::notify {

// Over "<seconds>.<body>".
std::string Sign(std::string_view key, std::int64_t seconds, std::string_view body);

}  // namespace yard::notify

// What proftpd is told. Nothing of it comes from people: who may sign in stands in a file of its
// own, within the bounds that are said here. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace yard::app::ftps {

enum class KeyKind { kRsa, kEc };

struct Listening {
  std::string host;  // an IPv4 address
  std::uint16_t port = 0;
  std::uint16_t passive_first = 0;
  std::uint16_t passive_last = 0;
};

std::string ConfigOf(const Listening& listening, KeyKind key);

}  // namespace yard::app::ftps

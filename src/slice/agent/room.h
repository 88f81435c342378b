// How the memory of one GPU is divided among slices that may grow beyond their request.
//
// Pure. A slice's request is its own whether it uses it or not; what it may hold right now is its
// cap, between its request and its limit. What no request and no holder needs is spare, and whoever
// asks first gets it. Memory that is held is never taken away; unused caps are.
// Invariant: if the caps and holdings together fit the card before a call, they do after it, and
// no cap is below its request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace yard::slice {

// One slice's part of the card, in bytes.
struct Claim {
  std::uint64_t request = 0;
  std::uint64_t limit = 0;
  std::uint64_t cap = 0;
  std::uint64_t held = 0;
};

// What cannot be given to anybody else.
std::uint64_t Kept(const Claim& claim);

// True when the requests and what is held above them do not fit the card: somebody who takes no
// more than its request may find the card full.
bool Overdrawn(std::uint64_t card, std::span<const Claim> claims);

// True when what everybody may take or holds does not fit the card.
bool Overpromised(std::uint64_t card, std::span<const Claim> claims);

// What could be added to this one's cap, if need be out of others' unused caps.
std::uint64_t RoomFor(std::uint64_t card, std::span<const Claim> claims, std::size_t which);

// The cap that lets one hold `bytes` more, and whether others' unused caps have to go first.
struct Growth {
  std::uint64_t cap = 0;
  bool from_others = false;
};
// Nothing: there is no room within its limit.
std::optional<Growth> Grow(std::uint64_t card, std::span<const Claim> claims, std::size_t which,
                           std::uint64_t bytes);

}  // namespace yard::slice

#include "slice/agent/room.h"

#include <algorithm>

namespace yard::slice {
namespace {

// Asked for one allocation, a little more is given, so that the next need not ask.
constexpr std::uint64_t kAhead = 256ULL << 20;

std::uint64_t Promised(const Claim& claim) {
  return std::max(claim.cap, Kept(claim));
}

template <class Count>
std::uint64_t Sum(std::span<const Claim> claims, Count count) {
  std::uint64_t sum = 0;
  for (const Claim& claim : claims) sum += count(claim);
  return sum;
}

std::uint64_t Less(std::uint64_t from, std::uint64_t what) {
  return from > what ? from - what : 0;
}

}  // namespace

std::uint64_t Kept(const Claim& claim) {
  return std::max(claim.request, claim.held);
}

bool Overdrawn(std::uint64_t card, std::span<const Claim> claims) {
  return Sum(claims, Kept) > card;
}

bool Overpromised(std::uint64_t card, std::span<const Claim> claims) {
  return Sum(claims, Promised) > card;
}

std::uint64_t RoomFor(std::uint64_t card, std::span<const Claim> claims, std::size_t which) {
  const Claim& claim = claims[which];
  const std::uint64_t others = Sum(claims, Kept) - Kept(claim);
  return std::min(Less(claim.limit, claim.cap), Less(Less(card, others), claim.cap));
}

std::optional<Growth> Grow(std::uint64_t card, std::span<const Claim> claims, std::size_t which,
                           std::uint64_t bytes) {
  const Claim& claim = claims[which];
  if (bytes > claim.limit || claim.held > claim.limit - bytes) return std::nullopt;
  const std::uint64_t wanted = claim.held + bytes;
  if (wanted <= claim.cap) return Growth{claim.cap, false};
  if (wanted - claim.cap > RoomFor(card, claims, which)) return std::nullopt;
  const std::uint64_t others = Sum(claims, Promised) - Promised(claim);
  if (others + wanted > card) return Growth{wanted, true};
  return Growth{std::min({claim.limit, wanted + kAhead, card - others}), false};
}

}  // namespace yard::slice

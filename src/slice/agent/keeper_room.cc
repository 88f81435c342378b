// The keeper's division of a GPU among slices that may grow beyond their request (room.h).
#include <algorithm>

#include "slice/agent/keeper.h"
#include "slice/agent/room.h"

namespace yard::slice {
namespace {

constexpr std::uint64_t kMib = 1ULL << 20;

std::string MebibytesText(std::uint64_t bytes) {
  return std::to_string(bytes / kMib) + " MiB";
}

template <class Parts>
std::vector<Claim> ClaimsOf(const Parts& parts) {
  std::vector<Claim> claims;
  for (const auto& [seat, gpu] : parts) {
    const Terms& part = seat->slice.terms(gpu);
    claims.push_back(
        {part.soft, std::max(part.limit, part.hard), part.hard, seat->slice.Held(gpu)});
  }
  return claims;
}

}  // namespace

// Its size is what nobody outside our slices holds, as far as the last audit saw.
Keeper::Card Keeper::CardOf(const Uuid& uuid) {
  Card card;
  for (const auto& seat : seats_) {
    for (int i = 0; i < seat->slice.gpu_count(); ++i) {
      if (seat->slice.terms(i).uuid != uuid) continue;
      card.size = std::max(card.size, seat->slice.terms(i).physical);
      if (ParkingOf(*seat) == Parking::kAway) continue;
      card.parts.push_back({seat.get(), i});
    }
  }
  const auto foreign = foreign_.find(FormatUuid(uuid));
  if (foreign != foreign_.end()) card.size -= std::min(card.size, foreign->second);
  card.lendable = card.size - std::min(card.size, options_.kept_back);
  return card;
}

Status Keeper::CheckRequest(const Uuid& uuid, std::uint64_t more) {
  std::uint64_t physical = 0, sum = more;
  for (const auto& [seat, gpu] : CardOf(uuid).parts) {
    physical = std::max(physical, seat->slice.terms(gpu).physical);
    sum += seat->slice.terms(gpu).soft;
  }
  if (physical == 0 || sum <= physical) return {};
  return Fail(Code::kConflict, "the requests on GPU " + FormatUuid(uuid) + " would be " +
                                   MebibytesText(sum) + " of " + MebibytesText(physical));
}

Status Keeper::SetLimits(const std::string& name, int gpu, const Limits& limits) {
  std::lock_guard hold(mutex_);
  Seat* const seat = Find(name);
  if (seat == nullptr) return Fail(Code::kNotFound, "slice " + name + " does not exist");
  if (gpu < 0 || gpu >= seat->slice.gpu_count() || limits.request > limits.limit)
    return Fail(Code::kInvalid, "a limit is at least the request, on a GPU of the slice");
  const Terms before = seat->slice.terms(gpu);
  if (limits.request > before.soft && ParkingOf(*seat) != Parking::kAway)
    YARD_TRY(CheckRequest(before.uuid, limits.request - before.soft));
  seat->slice.SetLimits(gpu, limits.request, limits.limit);
  Balance(before.uuid);
  return {};
}

// Unused caps of others are taken back only when they are needed, and while nobody of theirs is
// between admission and the driver.
bool Keeper::GrantWish(Seat& seat, const Wish& wish) {
  const auto gpu = static_cast<int>(wish.gpu);
  if (gpu < 0 || gpu >= seat.slice.gpu_count()) return false;
  const Card card = CardOf(seat.slice.terms(gpu).uuid);
  const auto self = std::ranges::find_if(
      card.parts, [&](const Part& part) { return part.seat == &seat && part.gpu == gpu; });
  const auto which = static_cast<std::size_t>(self - card.parts.begin());
  auto growth = Grow(card.lendable, ClaimsOf(card.parts), which, wish.bytes);
  if (growth && growth->from_others) {
    for (const Part& part : card.parts)
      if (part.seat != &seat) part.seat->slice.TakeBack(part.gpu);
    growth = Grow(card.lendable, ClaimsOf(card.parts), which, wish.bytes);
    if (growth && growth->from_others) growth.reset();  // somebody could not be asked in time
  }
  if (growth) seat.slice.SetHard(gpu, growth->cap);
  Balance(seat.slice.terms(gpu).uuid);
  return growth.has_value();
}

// Says who holds above its request what others were promised, once, and once that it is over.
void Keeper::TellHolders(const Card& card) {
  const std::vector<Claim> claims = ClaimsOf(card.parts);
  const bool needed = Overdrawn(card.size, claims);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    Seat& seat = *card.parts[i].seat;
    const bool above = needed && claims[i].held > claims[i].request;
    bool& told = seat.above_request[card.parts[i].gpu];
    if (above == told) continue;
    told = above;
    const std::string text =
        above ? "holds " + MebibytesText(claims[i].held - claims[i].request) +
                    " above its request, which others on the GPU need; it gets no more until they "
                    "are freed"
              : "holds nothing any more that others need";
    on_event_({above ? EventKind::kAboveRequest : EventKind::kGaveBack, seat.slice.name(), text});
  }
}

// Lets caps follow what was freed, and tells every slice how far it could grow.
void Keeper::Balance(const Uuid& uuid) {
  const Card card = CardOf(uuid);
  if (card.size == 0) return;
  std::vector<Claim> claims = ClaimsOf(card.parts);
  if (Overpromised(card.size, claims)) {
    for (std::size_t i = 0; i < claims.size(); ++i)
      if (claims[i].cap > Kept(claims[i])) card.parts[i].seat->slice.TakeBack(card.parts[i].gpu);
    claims = ClaimsOf(card.parts);
  }
  for (std::size_t i = 0; i < claims.size(); ++i)
    card.parts[i].seat->slice.region()->gpu[card.parts[i].gpu].room =
        RoomFor(card.lendable, claims, i);
  TellHolders(card);
}

// The first refusal is told, then only when there were twice as many.
void Keeper::TellRefused() {
  for (const auto& seat : seats_) {
    std::uint64_t refused = 0, limit = 0;
    for (int i = 0; i < seat->slice.gpu_count(); ++i) {
      refused += seat->slice.region()->gpu[i].refused;
      limit = std::max({limit, seat->slice.terms(i).limit, seat->slice.terms(i).hard});
    }
    if (refused == 0 || refused < 2 * seat->refused_seen) continue;
    seat->refused_seen = refused;
    on_event_({EventKind::kRefused, seat->slice.name(),
               std::to_string(refused) +
                   " allocations of GPU memory were refused so far; its part "
                   "is " +
                   MebibytesText(limit)});
  }
}

void Keeper::BalanceAll() {
  std::vector<Uuid> seen;
  for (const auto& seat : seats_) {
    for (int i = 0; i < seat->slice.gpu_count(); ++i)
      if (std::ranges::find(seen, seat->slice.terms(i).uuid) == seen.end())
        seen.push_back(seat->slice.terms(i).uuid);
  }
  for (const Uuid& uuid : seen) Balance(uuid);
  TellRefused();
}

}  // namespace yard::slice

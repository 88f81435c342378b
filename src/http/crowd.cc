#include "http/crowd.h"

#include <algorithm>
#include <utility>

#include "http/responder.h"

namespace yard::http {
namespace {

// Its thread closes it; a connection that has gone meanwhile is as good.
void Cut(std::shared_ptr<Link> link) {
  Loop& loop = *link->loop;
  loop.Post([link = std::move(link)] {
    if (link->connection) link->connection->OnCut();
  });
}

}  // namespace

std::shared_ptr<Seat> Crowd::Take(const std::string& network) {
  std::shared_ptr<Link> leaves;
  auto seat = std::make_shared<Seat>(network);
  {
    std::lock_guard lock(mutex_);
    auto own = groups_.find(network);
    if (taken_ >= most_) {
      leaves = GiveWay(own == groups_.end() ? 0 : own->second.seats.size());
      if (!leaves) return nullptr;
    }
    Group& group = groups_[network];
    if (!group.unsent) group.unsent = std::make_shared<Unsent>(unsent_bytes_);
    seat->unsent = group.unsent;
    seat->place = group.seats.insert(group.seats.end(), seat);
    ++taken_;
  }
  if (leaves) Cut(std::move(leaves));
  return seat;
}

std::shared_ptr<Link> Crowd::GiveWay(std::size_t held) {
  auto largest = std::ranges::max_element(
      groups_, {}, [](const auto& entry) { return entry.second.seats.size(); });
  // One more for the newcomer must not only turn the two around.
  if (largest == groups_.end() || largest->second.seats.size() <= held + 1) return nullptr;
  std::shared_ptr<Seat> chosen;
  std::shared_ptr<Link> link;
  for (const std::shared_ptr<Seat>& seat : largest->second.seats) {
    std::shared_ptr<Link> way = seat->link.lock();
    bool idle = seat->idle.load(std::memory_order_relaxed);
    if (!way || (chosen && !idle)) continue;
    chosen = seat;
    link = std::move(way);
    if (idle) break;
  }
  if (chosen) Remove(*chosen);
  return link;
}

void Crowd::Settle(Seat& seat, const std::shared_ptr<Link>& link) {
  std::lock_guard lock(mutex_);
  seat.link = link;
}

void Crowd::Leave(const std::shared_ptr<Seat>& seat) {
  std::lock_guard lock(mutex_);
  if (!seat->left) Remove(*seat);
}

void Crowd::Remove(Seat& seat) {
  seat.left = true;
  auto group = groups_.find(seat.network);
  group->second.seats.erase(seat.place);
  if (group->second.seats.empty()) groups_.erase(group);
  --taken_;
}

}  // namespace yard::http

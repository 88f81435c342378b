#include "tune/numerics/niches.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace yard::tune {
namespace {

// Objectives scaled to [0, 1] between the least and the largest of all points.
std::vector<Losses> Scaled(std::span<const Losses> kept, std::span<const Losses> front) {
  std::vector<Losses> all(kept.begin(), kept.end());
  all.insert(all.end(), front.begin(), front.end());
  for (std::size_t k = 0; k < all[0].size(); ++k) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Losses& p : all) {
      low = std::min(low, p[k]);
      high = std::max(high, p[k]);
    }
    for (Losses& p : all) p[k] = high > low ? (p[k] - low) / (high - low) : 0;
  }
  return all;
}

struct Nearest {
  std::size_t niche = 0;
  double distance = 0;  // squared, from the ray
};

Nearest NearestNiche(const Losses& point, std::span<const Losses> directions) {
  Nearest nearest{0, std::numeric_limits<double>::infinity()};
  for (std::size_t n = 0; n < directions.size(); ++n) {
    double along = std::inner_product(point.begin(), point.end(), directions[n].begin(), 0.0);
    double length =
        std::inner_product(directions[n].begin(), directions[n].end(), directions[n].begin(), 0.0);
    double square = std::inner_product(point.begin(), point.end(), point.begin(), 0.0);
    double distance = square - along * along / length;
    if (distance < nearest.distance) nearest = {n, distance};
  }
  return nearest;
}

void Compose(std::size_t left, std::size_t divisions, Losses& prefix, std::vector<Losses>& all) {
  std::size_t used = 0;
  for (double v : prefix)
    used += static_cast<std::size_t>(std::lround(v * static_cast<double>(divisions)));
  if (left == 1) {
    prefix.push_back(static_cast<double>(divisions - used) / static_cast<double>(divisions));
    all.push_back(prefix);
    prefix.pop_back();
    return;
  }
  for (std::size_t i = 0; used + i <= divisions; ++i) {
    prefix.push_back(static_cast<double>(i) / static_cast<double>(divisions));
    Compose(left - 1, divisions, prefix, all);
    prefix.pop_back();
  }
}

}  // namespace

std::vector<std::size_t> ByCrowding(std::span<const Losses> front, std::size_t count) {
  std::vector<double> distance = Crowding(front);
  std::vector<std::size_t> order(front.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return distance[i]; });
  order.resize(std::min(count, order.size()));
  return order;
}

std::vector<Losses> Directions(std::size_t objectives, std::size_t divisions) {
  std::vector<Losses> all;
  Losses prefix;
  Compose(objectives, divisions, prefix, all);
  return all;
}

std::vector<std::size_t> ByNiches(std::span<const Losses> kept, std::span<const Losses> front,
                                  std::size_t count) {
  std::vector<Losses> all = Scaled(kept, front);
  std::size_t divisions = all[0].size() == 2 ? 49 : all[0].size() == 3 ? 8 : 4;
  std::vector<Losses> directions = Directions(all[0].size(), divisions);
  std::vector<std::size_t> filled(directions.size(), 0);
  for (std::size_t i = 0; i < kept.size(); ++i) ++filled[NearestNiche(all[i], directions).niche];
  std::vector<Nearest> nearest;
  for (std::size_t i = 0; i < front.size(); ++i) {
    nearest.push_back(NearestNiche(all[kept.size() + i], directions));
  }
  std::vector<std::size_t> chosen;
  std::vector<bool> taken(front.size(), false);
  while (chosen.size() < std::min(count, front.size())) {
    std::size_t best = front.size();
    for (std::size_t i = 0; i < front.size(); ++i) {
      if (taken[i]) continue;
      if (best == front.size()) best = i;
      std::size_t mine = filled[nearest[i].niche];
      std::size_t other = filled[nearest[best].niche];
      if (mine < other || (mine == other && nearest[i].distance < nearest[best].distance)) best = i;
    }
    taken[best] = true;
    ++filled[nearest[best].niche];
    chosen.push_back(best);
  }
  return chosen;
}

}  // namespace yard::tune

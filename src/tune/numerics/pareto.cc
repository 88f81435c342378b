#include "tune/numerics/pareto.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace yard::tune {
namespace {

// Two objectives: a sweep from the left.
double Area(std::vector<Losses> points, const Losses& reference) {
  std::ranges::sort(points);
  double area = 0;
  double height = reference[1];
  for (const Losses& p : points) {
    if (p[1] >= height) continue;
    area += (reference[0] - p[0]) * (height - p[1]);
    height = p[1];
  }
  return area;
}

std::vector<Losses> NonDominated(std::span<const Losses> points) {
  std::vector<Losses> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < points.size() && !dominated; ++j) {
      dominated = Dominates(points[j], points[i]) || (j < i && points[j] == points[i]);
    }
    if (!dominated) kept.push_back(points[i]);
  }
  return kept;
}

double Box(const Losses& point, const Losses& reference) {
  double volume = 1;
  for (std::size_t k = 0; k < point.size(); ++k) volume *= reference[k] - point[k];
  return volume;
}

// The volume of each point without what the later ones dominate of it (WFG).
double Volume(std::vector<Losses> points, const Losses& reference) {
  if (points.empty()) return 0;
  if (reference.size() == 1) return reference[0] - std::ranges::min(points)[0];
  if (reference.size() == 2) return Area(std::move(points), reference);
  std::ranges::sort(points);
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<Losses> limited;
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      Losses worse(reference.size());
      for (std::size_t k = 0; k < worse.size(); ++k)
        worse[k] = std::max(points[i][k], points[j][k]);
      limited.push_back(std::move(worse));
    }
    sum += Box(points[i], reference) - Volume(NonDominated(limited), reference);
  }
  return sum;
}

}  // namespace

bool Dominates(const Losses& a, const Losses& b) {
  bool better = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] > b[k]) return false;
    better = better || a[k] < b[k];
  }
  return better;
}

bool DominatesConstrained(const Observation& a, const Observation& b) {
  if (a.violation != b.violation) return a.violation < b.violation;
  return Dominates(a.losses, b.losses);
}

std::vector<std::size_t> FrontOf(std::span<const Observation> observations) {
  std::size_t n = observations.size();
  std::vector<std::size_t> front(n, 0);
  std::vector<std::size_t> above(n, 0);  // how many dominate it and have no front yet
  std::vector<std::vector<std::size_t>> below(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (DominatesConstrained(observations[i], observations[j])) {
        below[i].push_back(j);
        ++above[j];
      } else if (DominatesConstrained(observations[j], observations[i])) {
        below[j].push_back(i);
        ++above[i];
      }
    }
  }
  std::vector<std::size_t> current;
  for (std::size_t i = 0; i < n; ++i) {
    if (above[i] == 0) current.push_back(i);
  }
  for (std::size_t rank = 0; !current.empty(); ++rank) {
    std::vector<std::size_t> next;
    for (std::size_t i : current) {
      front[i] = rank;
      for (std::size_t j : below[i]) {
        if (--above[j] == 0) next.push_back(j);
      }
    }
    current = std::move(next);
  }
  return front;
}

std::vector<double> Crowding(std::span<const Losses> front) {
  std::vector<double> distance(front.size(), 0.0);
  if (front.empty()) return distance;
  std::vector<std::size_t> order(front.size());
  for (std::size_t k = 0; k < front[0].size(); ++k) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return front[i][k]; });
    double range = front[order.back()][k] - front[order.front()][k];
    distance[order.front()] = std::numeric_limits<double>::infinity();
    distance[order.back()] = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; range > 0 && i + 1 < order.size(); ++i) {
      distance[order[i]] += (front[order[i + 1]][k] - front[order[i - 1]][k]) / range;
    }
  }
  return distance;
}

double Hypervolume(std::vector<Losses> points, const Losses& reference) {
  std::erase_if(points, [&](const Losses& p) {
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (p[k] >= reference[k]) return true;
    }
    return false;
  });
  return Volume(NonDominated(points), reference);
}

Losses ReferenceOf(std::span<const Losses> points) {
  Losses reference(points[0].size(), -std::numeric_limits<double>::infinity());
  for (const Losses& p : points) {
    for (std::size_t k = 0; k < p.size(); ++k) reference[k] = std::max(reference[k], p[k]);
  }
  for (double& r : reference) r = std::max(1.1 * r, 0.9 * r) + 1e-12;
  return reference;
}

std::vector<std::size_t> ChooseByVolume(std::span<const Losses> points, std::size_t count) {
  std::vector<std::size_t> chosen;
  Losses reference = ReferenceOf(points);
  // A point adds less the more have been chosen: an old gain bounds the new one from above.
  std::vector<double> gain(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) gain[i] = Box(points[i], reference);
  std::vector<Losses> taken;
  double volume = 0;
  while (chosen.size() < std::min(count, points.size())) {
    std::size_t best = points.size();
    double best_gain = -1;
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return gain[i]; });
    for (std::size_t i : order) {
      if (gain[i] <= best_gain) break;
      std::vector<Losses> with = taken;
      with.push_back(points[i]);
      gain[i] = Hypervolume(std::move(with), reference) - volume;
      if (gain[i] <= best_gain) continue;
      best = i;
      best_gain = gain[i];
    }
    if (best == points.size()) break;
    chosen.push_back(best);
    taken.push_back(points[best]);
    volume += best_gain;
    gain[best] = -2;
  }
  return chosen;
}

std::vector<std::size_t> ParetoBest(const History& history, std::size_t count) {
  std::vector<std::size_t> front = FrontOf(history.finished);
  std::vector<std::size_t> best;
  for (std::size_t rank = 0; best.size() < count; ++rank) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < front.size(); ++i) {
      if (front[i] == rank) members.push_back(i);
    }
    if (members.empty()) break;
    if (best.size() + members.size() > count) {
      std::vector<Losses> losses;
      for (std::size_t i : members) losses.push_back(history.finished[i].losses);
      std::vector<std::size_t> chosen;
      for (std::size_t k : ChooseByVolume(losses, count - best.size()))
        chosen.push_back(members[k]);
      members = std::move(chosen);
    }
    best.insert(best.end(), members.begin(), members.end());
  }
  std::ranges::sort(best);
  return best;
}

}  // namespace yard::tune

// Several objectives: fronts of non-domination, crowding, hypervolume.
//
// Losses are minimised. A trial that violates its constraints is dominated by every one that does
// so less.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tune/history.h"

namespace yard::tune {

using Losses = std::vector<double>;

bool Dominates(const Losses& a, const Losses& b);
bool DominatesConstrained(const Observation& a, const Observation& b);

// Front of each observation, 0 the best.
std::vector<std::size_t> FrontOf(std::span<const Observation> observations);
// Distance to the neighbours on the front; the ends are infinitely far.
std::vector<double> Crowding(std::span<const Losses> front);
// Volume dominated by the points and not worse than the reference.
double Hypervolume(std::vector<Losses> points, const Losses& reference);
// A reference slightly worse than all the points.
Losses ReferenceOf(std::span<const Losses> points);
// `count` of the points that dominate most volume together, chosen one by one.
std::vector<std::size_t> ChooseByVolume(std::span<const Losses> points, std::size_t count);
// The best `count` finished trials: whole fronts, the last one by volume.
std::vector<std::size_t> ParetoBest(const History& history, std::size_t count);

}  // namespace yard::tune

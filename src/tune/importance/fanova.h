// How much of the variance of the loss each parameter explains alone (fANOVA).
//
// A forest of regression trees is fitted; a tree is constant on boxes, so the marginal over all
// other parameters and its variance are sums over its leaves. Deterministic by seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tune/history.h"
#include "tune/space.h"

namespace yard::tune {

struct FanovaOptions {
  std::size_t trees = 32;
  std::size_t least_leaf = 2;  // trials
  int depth = 16;
  std::uint64_t seed = 0;
};

// By axis: its share of the variance; what is missing to 1 are interactions.
std::vector<double> Fanova(const Space& space, std::span<const Observation> observations,
                           const FanovaOptions& options = {});

}  // namespace yard::tune

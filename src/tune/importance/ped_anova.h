// Which parameters separate the best trials from the rest (PED-ANOVA).
//
// For every parameter the density of the best tenth is compared with the density of all: how far
// they differ, squared and weighted by the density of all, is its importance. Milliseconds for
// thousands of trials. Parameters that exist in fewer than two of the best trials have importance
// 0.
#pragma once

#include <span>
#include <vector>

#include "tune/history.h"
#include "tune/space.h"

namespace yard::tune {

// By axis of the space, summing to 1 unless all are 0.
std::vector<double> PedAnova(const Space& space, std::span<const Observation> observations);

}  // namespace yard::tune

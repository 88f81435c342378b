// One domain: its levels, and the way between its values and [0, 1].
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tune/space.h"

namespace yard::tune {

// What is wrong with the domain; empty if nothing is.
std::string DomainProblem(const Domain& domain);
// 0 for a continuous domain, 1 for a constant.
std::size_t LevelsOf(const Domain& domain);
double ValueToUnit(const Domain& domain, double value);
// Rounds to the nearest level.
double UnitToValue(const Domain& domain, double u);
// The coordinate of level k of a discrete domain, and the level of a coordinate.
double LevelToUnit(const Domain& domain, std::size_t level);
std::size_t UnitToLevel(const Domain& domain, double u);
Space::Cell LevelCell(const Domain& domain, std::size_t level);
// Whether `value` is one of the domain's.
bool Contains(const Domain& domain, double value);
// The choices of a categorical or ordinal domain or constant; empty for numbers.
std::span<const std::string> ChoicesOf(const Domain& domain);
// A choice as an expression sees it: its number if it is one, else a number made of its letters.
double TextValue(std::string_view text);

}  // namespace yard::tune

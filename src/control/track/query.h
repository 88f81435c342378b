// Conditions and orders over tracked things, as values. A protocol's grammar makes them; they know
// no grammar.
//
// All conditions must hold. A field that a thing does not have fulfils only kIsNull. Not a number
// fulfils no comparison but kNotEqual. Two texts that are numbers are less or greater by value. In
// an order it stands behind every number, and what is missing behind everything, in either
// direction.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace yard::control {

enum class FieldKind { kAttribute, kMetric, kParam, kTag, kDataset };

struct Field {
  FieldKind kind = FieldKind::kAttribute;
  std::string key;
};

enum class Comparison {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kLike,      // % is any text, _ any character
  kLikeFold,  // the same whatever the case
  kIn,
  kNotIn,
  kIsNull,
  kIsNotNull,
};

struct Condition {
  Field field;
  Comparison comparison = Comparison::kEqual;
  double number = 0;               // for cells that are numbers
  std::vector<std::string> texts;  // for those that are texts; several for kIn and kNotIn
};

enum class Direction { kAscending, kDescending };

// Whether texts that are numbers, such as most parameters, order by value and before other texts.
enum class Numbers { kAsText, kRead };

struct Order {
  Field field;
  Direction direction = Direction::kAscending;
  Numbers numbers = Numbers::kAsText;
};

// What a thing has in a field; nothing, a number or a text that the thing owns.
using Cell = std::variant<std::monostate, double, std::string_view>;

// A text that is a number becomes that number.
Cell AsNumber(const Cell& cell);

bool Fulfils(const Cell& cell, const Condition& condition);

// Less than zero: `a` comes first.
int CompareCells(const Cell& a, const Cell& b, Direction direction);

bool Like(std::string_view text, std::string_view pattern);

}  // namespace yard::control

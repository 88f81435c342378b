#include "control/track/query.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/strings.h"

namespace yard::control {
namespace {

template <class T>
bool Holds(const T& a, Comparison comparison, const T& b) {
  switch (comparison) {
    case Comparison::kEqual:
      return a == b;
    case Comparison::kNotEqual:
      return a != b;
    case Comparison::kLess:
      return a < b;
    case Comparison::kLessOrEqual:
      return a <= b;
    case Comparison::kGreater:
      return a > b;
    case Comparison::kGreaterOrEqual:
      return a >= b;
    default:
      return false;
  }
}

std::optional<double> NumberIn(std::string_view text) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool IsOrdering(Comparison comparison) {
  return comparison == Comparison::kLess || comparison == Comparison::kLessOrEqual ||
         comparison == Comparison::kGreater || comparison == Comparison::kGreaterOrEqual;
}

bool TextFulfils(std::string_view text, const Condition& condition) {
  const auto& texts = condition.texts;
  if (condition.comparison == Comparison::kIn || condition.comparison == Comparison::kNotIn) {
    bool among = std::ranges::find(texts, text) != texts.end();
    return among == (condition.comparison == Comparison::kIn);
  }
  if (texts.empty()) return false;
  if (condition.comparison == Comparison::kLike) return Like(text, texts[0]);
  if (condition.comparison == Comparison::kLikeFold) return Like(Lower(text), Lower(texts[0]));
  if (IsOrdering(condition.comparison)) {
    std::optional<double> number = NumberIn(text);
    std::optional<double> bound = NumberIn(texts[0]);
    if (number && bound) return Holds(*number, condition.comparison, *bound);
  }
  return Holds(text, condition.comparison, std::string_view(texts[0]));
}

// Values, then not a number, then nothing.
int RankOf(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return 2;
  const double* number = std::get_if<double>(&cell);
  return number != nullptr && std::isnan(*number) ? 1 : 0;
}

}  // namespace

bool Like(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;  // behind the last %
  std::size_t resume = 0;
  while (at < text.size()) {
    if (in < pattern.size() && pattern[in] == '%') {
      star = ++in;
      resume = at;
    } else if (in < pattern.size() && (pattern[in] == '_' || pattern[in] == text[at])) {
      ++in;
      ++at;
    } else if (star != std::string_view::npos) {
      in = star;
      at = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('%', in) == std::string_view::npos;
}

Cell AsNumber(const Cell& cell) {
  const auto* text = std::get_if<std::string_view>(&cell);
  std::optional<double> number = text == nullptr ? std::nullopt : NumberIn(*text);
  return number ? Cell(*number) : cell;
}

bool Fulfils(const Cell& cell, const Condition& condition) {
  bool absent = std::holds_alternative<std::monostate>(cell);
  if (condition.comparison == Comparison::kIsNull) return absent;
  if (condition.comparison == Comparison::kIsNotNull) return !absent;
  if (absent) return false;
  if (const double* number = std::get_if<double>(&cell)) {
    return Holds(*number, condition.comparison, condition.number);
  }
  return TextFulfils(std::get<std::string_view>(cell), condition);
}

int CompareCells(const Cell& a, const Cell& b, Direction direction) {
  int rank_a = RankOf(a);
  int rank_b = RankOf(b);
  if (rank_a != rank_b || rank_a > 0) return rank_a - rank_b;
  if (a == b) return 0;
  bool first = direction == Direction::kAscending ? a < b : b < a;
  return first ? -1 : 1;
}

}  // namespace yard::control

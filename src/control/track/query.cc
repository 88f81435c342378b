#include "control/track/query.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
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

bool IsAny(char c) {
  return c == '_';
}

// Whether the text begins like the part, in which '_' is any character.
bool Fits(std::string_view text, std::string_view part) {
  return std::ranges::equal(part, text.substr(0, part.size()),
                            [](char want, char is) { return IsAny(want) || want == is; });
}

// One bit for each place in the part that the text read so far may end at. Each step takes a word
// of 64 places at once, so a text that nearly fits everywhere costs little more than another.
class Places {
 public:
  explicit Places(std::string_view part)
      : words_((part.size() + kBits - 1) / kBits), state_(words_), fits_(words_ * kLetters) {
    for (std::size_t at = 0; at < part.size(); ++at) {
      const std::uint64_t bit = std::uint64_t{1} << at % kBits;
      for (std::size_t letter = 0; letter < kLetters; ++letter) {
        const bool fits = IsAny(part[at]) || letter == static_cast<unsigned char>(part[at]);
        if (fits) fits_[letter * words_ + at / kBits] |= bit;
      }
    }
    last_ = std::uint64_t{1} << (part.size() - 1) % kBits;
  }

  // Whether the part ends with this character.
  bool Step(char c) {
    const std::uint64_t* fits = &fits_[static_cast<unsigned char>(c) * words_];
    std::uint64_t carried = 1;
    for (std::size_t word = 0; word < words_; ++word) {
      const std::uint64_t next = state_[word] >> (kBits - 1);
      state_[word] = (state_[word] << 1 | carried) & fits[word];
      carried = next;
    }
    return (state_.back() & last_) != 0;
  }

 private:
  static constexpr std::size_t kBits = 64;
  static constexpr std::size_t kLetters = 256;
  std::size_t words_;
  std::vector<std::uint64_t> state_;
  std::vector<std::uint64_t> fits_;  // of each letter
  std::uint64_t last_ = 0;
};

// Behind the first place where the text has the part; npos: nowhere.
std::size_t FindBehind(std::string_view text, std::string_view part) {
  if (part.empty()) return 0;
  if (text.size() < part.size()) return std::string_view::npos;
  if (std::ranges::none_of(part, IsAny)) {
    // Unlike find(), in time that grows with the text alone.
    const void* found = ::memmem(text.data(), text.size(), part.data(), part.size());
    if (found == nullptr) return std::string_view::npos;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + part.size();
  }
  Places places(part);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (places.Step(text[at])) return at + 1;
  }
  return std::string_view::npos;
}

// Values, then not a number, then nothing.
int RankOf(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return 2;
  const double* number = std::get_if<double>(&cell);
  return number != nullptr && std::isnan(*number) ? 1 : 0;
}

}  // namespace

bool Like(std::string_view text, std::string_view pattern) {
  const std::size_t first = pattern.find('%');
  if (first == std::string_view::npos) return text.size() == pattern.size() && Fits(text, pattern);
  const std::size_t last = pattern.rfind('%');
  const std::string_view end = pattern.substr(last + 1);
  if (text.size() < first + end.size()) return false;
  if (!Fits(text, pattern.substr(0, first)) || !Fits(text.substr(text.size() - end.size()), end))
    return false;
  text = text.substr(first, text.size() - first - end.size());
  for (std::string_view part : Split(pattern.substr(first, last - first), '%')) {
    const std::size_t behind = FindBehind(text, part);
    if (behind == std::string_view::npos) return false;
    text.remove_prefix(behind);
  }
  return true;
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

#include "serve/list.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::serve {
namespace {

struct Operator {
  std::string_view text;
  Compare compare;
};
constexpr std::array<Operator, 8> kOperators{{{"==", Compare::kEqual},
                                              {"!=", Compare::kNotEqual},
                                              {"<=", Compare::kAtMost},
                                              {">=", Compare::kAtLeast},
                                              {"=@", Compare::kContains},
                                              {"!@", Compare::kLacks},
                                              {"=^", Compare::kStarts},
                                              {"=$", Compare::kEnds}}};

constexpr std::size_t kMaxLimit = 500;
constexpr std::size_t kMaxConditions = 50;

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

std::string CellText(const Cell& cell) {
  return std::visit(Overloaded{[](std::monostate) { return std::string(); },
                               [](std::string_view text) { return std::string(text); },
                               [](const std::string& text) { return text; },
                               [](std::int64_t number) { return std::to_string(number); },
                               [](double number) { return fmt::format("{}", number); },
                               [](Time time) { return FormatRfc3339(time); },
                               [](bool flag) { return std::string(flag ? "true" : "false"); }},
                    cell);
}

std::optional<std::string_view> TextOf(const Cell& cell) {
  if (const auto* view = std::get_if<std::string_view>(&cell)) return *view;
  if (const auto* text = std::get_if<std::string>(&cell)) return std::string_view(*text);
  return std::nullopt;
}

std::optional<double> NumberOf(const Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* time = std::get_if<Time>(&cell)) return static_cast<double>(time->micros);
  return std::nullopt;
}

std::optional<double> ParseNumber(std::string_view text) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool Ordered(Compare compare, int order) {
  switch (compare) {
    case Compare::kEqual:
      return order == 0;
    case Compare::kNotEqual:
      return order != 0;
    case Compare::kAtMost:
      return order <= 0;
    case Compare::kAtLeast:
      return order >= 0;
    default:
      return false;
  }
}

int Sign(double difference) {
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

bool MatchesText(Compare compare, std::string_view text, std::string_view value) {
  switch (compare) {
    case Compare::kContains:
      return ContainsIgnoreCase(text, value);
    case Compare::kLacks:
      return !ContainsIgnoreCase(text, value);
    case Compare::kStarts:
      return text.size() >= value.size() && EqualsIgnoreCase(text.substr(0, value.size()), value);
    case Compare::kEnds:
      return text.size() >= value.size() &&
             EqualsIgnoreCase(text.substr(text.size() - value.size()), value);
    default:
      return Ordered(compare, text.compare(value));
  }
}

// Bits that order as unsigned numbers do as the numbers they come from.
std::uint64_t OrderedBits(double number) {
  auto bits = std::bit_cast<std::uint64_t>(number + 0.0);  // minus zero becomes zero
  constexpr std::uint64_t kSign = UINT64_C(1) << 63;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

// The first 16 bytes, such that they order as the texts do; shorter texts are filled with zeros.
std::array<std::uint64_t, 2> HeadOf(std::string_view text) {
  std::array<char, 16> bytes{};
  text.copy(bytes.data(), bytes.size());
  auto head = std::bit_cast<std::array<std::uint64_t, 2>>(bytes);
  if constexpr (std::endian::native == std::endian::little) {
    for (std::uint64_t& word : head) word = __builtin_bswap64(word);
  }
  return head;
}

Result<Condition> ParseCondition(std::string_view text) {
  std::size_t best = std::string_view::npos;
  const Operator* found = nullptr;
  for (const Operator& candidate : kOperators) {
    std::size_t at = text.find(candidate.text);
    if (at < best) {
      best = at;
      found = &candidate;
    }
  }
  std::string_view field = Trim(text.substr(0, found ? best : 0));
  if (found == nullptr || field.empty()) {
    return Fail(Code::kInvalid, fmt::format("filterBy: '{}' is not a condition", text),
                "write field, operator, value; operators are == != <= >= =@ !@ =^ =$");
  }
  return Condition{std::string(field), found->compare, std::string(Trim(text.substr(best + 2)))};
}

Status CheckField(std::string_view parameter, std::string_view field,
                  std::span<const std::string_view> fields) {
  if (std::ranges::find(fields, field) != fields.end()) return {};
  std::optional<std::string_view> near = Nearest(field, fields);
  return Fail(Code::kInvalid,
              fmt::format("{}: there is no field '{}'{}", parameter, field,
                          near ? fmt::format("; did you mean '{}'?", *near) : ""),
              fmt::format("fields are {}", fmt::join(fields, ", ")));
}

Result<std::size_t> ParseBound(std::string_view name, std::string_view text, std::int64_t least,
                               std::int64_t most) {
  std::optional<std::int64_t> value = ParseInt(text);
  if (!value || *value < least || *value > most) {
    return Fail(Code::kInvalid,
                fmt::format("{} must be a whole number from {} to {}", name, least, most));
  }
  return static_cast<std::size_t>(*value);
}

Status TakeParameter(const std::string& name, const std::string& value,
                     std::span<const std::string_view> fields, ListQuery& query) {
  if (name == "filterBy") {
    YARD_ASSIGN(query.filter, ParseFilter(value));
    for (const Condition& condition : query.filter)
      YARD_TRY(CheckField("filterBy", condition.field, fields));
  } else if (name == "sortBy") {
    YARD_TRY(CheckField("sortBy", value, fields));
    query.sort_by = value;
  } else if (name == "sortOrder") {
    if (value != "asc" && value != "desc")
      return Fail(Code::kInvalid, "sortOrder must be asc or desc");
    query.descending = value == "desc";
  } else if (name == "search") {
    query.search = value;
  } else if (name == "offset") {
    YARD_ASSIGN(query.offset, ParseBound(name, value, 0, INT64_C(1) << 40));
  } else if (name == "limit") {
    YARD_ASSIGN(query.limit, ParseBound(name, value, 1, kMaxLimit));
  }
  return {};
}

}  // namespace

Result<std::vector<Condition>> ParseFilter(std::string_view text) {
  std::vector<Condition> conditions;
  for (std::string_view part : Split(text, ',')) {
    if (Trim(part).empty()) continue;
    YARD_ASSIGN(Condition condition, ParseCondition(part));
    conditions.push_back(std::move(condition));
  }
  if (conditions.size() > kMaxConditions) {
    return Fail(Code::kInvalid, fmt::format("filterBy: more than {} conditions", kMaxConditions));
  }
  return conditions;
}

Result<ListQuery> ParseListQuery(const QueryPairs& pairs,
                                 std::span<const std::string_view> fields) {
  ListQuery query;
  for (const auto& [name, value] : pairs) {
    if (!value.empty()) YARD_TRY(TakeParameter(name, value, fields, query));
  }
  return query;
}

Matcher::Matcher(const Condition& condition)
    : compare_(condition.compare), value_(condition.value), number_(ParseNumber(condition.value)) {
  if (std::optional<Time> time = ParseRfc3339(condition.value)) {
    micros_ = static_cast<double>(time->micros);
  }
}

bool Matcher::Matches(const Cell& cell) const {
  if (std::optional<std::string_view> text = TextOf(cell)) {
    return MatchesText(compare_, *text, value_);
  }
  if (std::optional<double> number = NumberOf(cell)) {
    const std::optional<double>& value = std::holds_alternative<Time>(cell) ? micros_ : number_;
    if (value && compare_ <= Compare::kAtLeast) return Ordered(compare_, Sign(*number - *value));
  }
  return MatchesText(compare_, CellText(cell), value_);
}

bool CellContains(const Cell& cell, std::string_view part) {
  if (std::optional<std::string_view> text = TextOf(cell)) return ContainsIgnoreCase(*text, part);
  return ContainsIgnoreCase(CellText(cell), part);
}

void SortKeys::Add(Cell cell) {
  Key key{.kind = 0, .row = static_cast<std::uint32_t>(keys_.size()), .head = {}, .text = {}};
  if (auto* made = std::get_if<std::string>(&cell)) {
    key.kind = 1;
    key.text = texts_.emplace_back(std::move(*made));
  } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
    key.kind = 1;
    key.text = *text;
  } else if (std::optional<double> number = NumberOf(cell)) {
    key.kind = 2;
    key.head = {OrderedBits(*number), 0};
  } else if (const auto* flag = std::get_if<bool>(&cell)) {
    key.kind = 3;
    key.head = {*flag ? 1U : 0U, 0};
  }
  if (key.kind == 1) key.head = HeadOf(key.text);
  keys_.push_back(key);
}

void SortKeys::Order(const ListQuery& query) {
  bool descending = query.descending;
  auto before = [descending](const Key& a, const Key& b) {
    auto order = std::tie(a.kind, a.head) <=> std::tie(b.kind, b.head);
    if (order == 0) order = a.text <=> b.text;
    if (order != 0) return descending ? order > 0 : order < 0;
    return descending ? a.row > b.row : a.row < b.row;
  };
  std::size_t wanted = std::min(query.offset + query.limit, keys_.size());
  auto middle = keys_.begin() + static_cast<std::ptrdiff_t>(wanted);
  // A heap of the first few is cheapest while they are few; else the page is first split off.
  if (wanted * 16 < keys_.size()) {
    std::partial_sort(keys_.begin(), middle, keys_.end(), before);
    return;
  }
  if (middle != keys_.end()) std::nth_element(keys_.begin(), middle, keys_.end(), before);
  std::sort(keys_.begin(), middle, before);
}

}  // namespace yard::serve

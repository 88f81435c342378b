#include "facade/mlflow/filter.h"

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::facade::mlflow {
namespace {

using control::Comparison;
using control::Condition;
using control::Direction;
using control::Field;
using control::FieldKind;
using control::Order;

struct SectionName {
  std::string_view name;
  FieldKind kind;
};

constexpr std::array kSections{
    SectionName{"metrics", FieldKind::kMetric},
    SectionName{"metric", FieldKind::kMetric},
    SectionName{"params", FieldKind::kParam},
    SectionName{"param", FieldKind::kParam},
    SectionName{"parameters", FieldKind::kParam},
    SectionName{"parameter", FieldKind::kParam},
    SectionName{"tags", FieldKind::kTag},
    SectionName{"tag", FieldKind::kTag},
    SectionName{"attributes", FieldKind::kAttribute},
    SectionName{"attribute", FieldKind::kAttribute},
    SectionName{"attr", FieldKind::kAttribute},
    SectionName{"run", FieldKind::kAttribute},
    SectionName{"datasets", FieldKind::kDataset},
    SectionName{"dataset", FieldKind::kDataset},
};

struct Sign {
  std::string_view text;
  Comparison comparison;
};

// The longer ones first.
constexpr std::array kSigns{
    Sign{">=", Comparison::kGreaterOrEqual},
    Sign{"<=", Comparison::kLessOrEqual},
    Sign{"!=", Comparison::kNotEqual},
    Sign{"<>", Comparison::kNotEqual},
    Sign{"==", Comparison::kEqual},
    Sign{">", Comparison::kGreater},
    Sign{"<", Comparison::kLess},
    Sign{"=", Comparison::kEqual},
};

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool IsSigned(Comparison comparison) {
  for (const Sign& sign : kSigns) {
    if (sign.comparison == comparison) return true;
  }
  return false;
}

std::unexpected<Error> TooMany(std::string_view what, std::size_t most) {
  return Fail(Code::kInvalid, fmt::format("a search takes at most {} {}", most, what),
              "ask several times, or for more and choose yourself");
}

Status CheckBytes(std::string_view text) {
  if (text.size() <= kMostFilterBytes) return {};
  return TooMany("bytes of a filter", kMostFilterBytes);
}

class Parser {
 public:
  Parser(std::string_view text, const Vocabulary& vocabulary)
      : text_(text), vocabulary_(vocabulary) {}

  Result<std::vector<Condition>> Filter();
  Result<Order> OrderBy();

 private:
  struct Named {
    Field field;
    AttributeName::Type type = AttributeName::Type::kText;
  };

  void Skip();
  bool AtEnd();
  std::unexpected<Error> Expected(std::string_view what) const;
  // A bare word up to a space, a sign, a bracket or a comma.
  std::string_view Word();
  bool TakeWord(std::string_view word);
  bool TakeSign(char sign);
  // A text in quotes of any of these kinds; a doubled quote is one.
  Result<std::optional<std::string>> Quoted(std::string_view quotes);
  Result<Named> ReadField();
  Result<Named> Resolve(std::string_view section, std::string key) const;
  Result<Comparison> ReadComparison();
  Result<Condition> ReadCondition();
  Result<double> ReadNumber();
  Status ReadTexts(Condition& condition);

  const std::string_view text_;
  const Vocabulary& vocabulary_;
  std::size_t at_ = 0;
};

void Parser::Skip() {
  while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
}

bool Parser::AtEnd() {
  Skip();
  return at_ == text_.size();
}

std::unexpected<Error> Parser::Expected(std::string_view what) const {
  constexpr std::size_t kShown = 1000;
  return Fail(Code::kInvalid,
              fmt::format("'{}' cannot be read at character {}: expected {}",
                          text_.substr(0, kShown), at_ + 1, what),
              "conditions look like metrics.loss < 0.1 AND params.lr = '0.01'");
}

std::string_view Parser::Word() {
  Skip();
  std::size_t end = text_.find_first_of(" \t\r\n=<>!(),'\"`", at_);
  std::string_view word = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
  at_ += word.size();
  return word;
}

bool Parser::TakeWord(std::string_view word) {
  std::size_t before = at_;
  if (EqualsIgnoreCase(Word(), word)) return true;
  at_ = before;
  return false;
}

bool Parser::TakeSign(char sign) {
  Skip();
  if (at_ == text_.size() || text_[at_] != sign) return false;
  ++at_;
  return true;
}

Result<std::optional<std::string>> Parser::Quoted(std::string_view quotes) {
  if (at_ == text_.size() || !quotes.contains(text_[at_])) return std::nullopt;
  const char quote = text_[at_++];
  std::string inner;
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] != quote) {
      inner += text_[at_];
    } else if (text_.substr(at_ + 1).starts_with(quote)) {
      inner += text_[++at_];
    } else {
      ++at_;
      return inner;
    }
  }
  return Expected(fmt::format("a closing {}", quote));
}

Result<Parser::Named> Parser::Resolve(std::string_view section, std::string key) const {
  FieldKind kind = FieldKind::kAttribute;
  bool known = section.empty();
  for (const SectionName& name : kSections) {
    if (EqualsIgnoreCase(name.name, section)) {
      kind = name.kind;
      known = true;
    }
  }
  bool offered = vocabulary_.sections == Sections::kAll || kind == FieldKind::kAttribute ||
                 kind == FieldKind::kTag;
  if (!known || !offered) return Expected("metrics., params., tags. or an attribute");
  if (kind == FieldKind::kMetric)
    return Named{{kind, std::move(key)}, AttributeName::Type::kNumber};
  if (kind != FieldKind::kAttribute) return Named{{kind, std::move(key)}};
  for (const AttributeName& attribute : vocabulary_.attributes) {
    if (EqualsIgnoreCase(attribute.name, key)) {
      return Named{{kind, std::string(attribute.key)}, attribute.type};
    }
  }
  return Fail(Code::kInvalid, fmt::format("there is no attribute '{}' to search by", key));
}

Result<Parser::Named> Parser::ReadField() {
  Skip();
  YARD_ASSIGN(std::optional<std::string> whole, Quoted("\"`"));
  if (whole) return Resolve("", *std::move(whole));
  std::string_view word = Word();
  if (word.empty()) return Expected("a field");
  std::size_t dot = word.find('.');
  if (dot == std::string_view::npos) return Resolve("", std::string(word));
  std::string key(word.substr(dot + 1));
  YARD_ASSIGN(std::optional<std::string> quoted, Quoted("\"`"));
  if (quoted) key += *quoted;
  if (key.empty()) return Expected("a key behind the dot");
  return Resolve(word.substr(0, dot), std::move(key));
}

Result<Comparison> Parser::ReadComparison() {
  Skip();
  for (const Sign& sign : kSigns) {
    if (!text_.substr(at_).starts_with(sign.text)) continue;
    at_ += sign.text.size();
    return sign.comparison;
  }
  if (TakeWord("LIKE")) return Comparison::kLike;
  if (TakeWord("ILIKE")) return Comparison::kLikeFold;
  if (TakeWord("IN")) return Comparison::kIn;
  if (TakeWord("NOT")) {
    if (TakeWord("IN")) return Comparison::kNotIn;
    return Expected("IN");
  }
  if (!TakeWord("IS")) return Expected("a comparison");
  Comparison is = TakeWord("NOT") ? Comparison::kIsNotNull : Comparison::kIsNull;
  if (!TakeWord("NULL")) return Expected("NULL");
  return is;
}

Result<double> Parser::ReadNumber() {
  std::string_view word = Word();
  if (word.starts_with('+')) word.remove_prefix(1);
  double number = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) {
    return Expected("a number");
  }
  return number;
}

Status Parser::ReadTexts(Condition& condition) {
  bool many = condition.comparison == Comparison::kIn || condition.comparison == Comparison::kNotIn;
  if (many && !TakeSign('(')) return Expected("a list in brackets");
  do {
    Skip();
    YARD_ASSIGN(std::optional<std::string> text, Quoted("'\""));
    if (!text) return Expected("a text in quotes");
    condition.texts.push_back(*std::move(text));
    if (condition.texts.size() > kMostListed) return TooMany("texts in a list", kMostListed);
  } while (many && TakeSign(','));
  if (many && !TakeSign(')')) return Expected("a closing bracket");
  const bool pattern =
      condition.comparison == Comparison::kLike || condition.comparison == Comparison::kLikeFold;
  if (pattern && condition.texts[0].size() > kMostPatternBytes)
    return TooMany("bytes of a pattern", kMostPatternBytes);
  return {};
}

Result<Condition> Parser::ReadCondition() {
  YARD_ASSIGN(Named named, ReadField());
  YARD_ASSIGN(Comparison comparison, ReadComparison());
  Condition condition{.field = std::move(named.field), .comparison = comparison};
  if (comparison == Comparison::kIsNull || comparison == Comparison::kIsNotNull) return condition;
  if (named.type == AttributeName::Type::kNumber) {
    if (!IsSigned(comparison)) return Expected("one of = != < <= > >= before a number");
    YARD_ASSIGN(condition.number, ReadNumber());
    return condition;
  }
  YARD_TRY(ReadTexts(condition));
  return condition;
}

Result<std::vector<Condition>> Parser::Filter() {
  std::vector<Condition> conditions;
  if (AtEnd()) return conditions;
  while (true) {
    YARD_ASSIGN(Condition condition, ReadCondition());
    conditions.push_back(std::move(condition));
    if (conditions.size() > kMostConditions) return TooMany("conditions", kMostConditions);
    if (AtEnd()) return conditions;
    if (!TakeWord("AND")) return Expected("AND or the end");
  }
}

Result<Order> Parser::OrderBy() {
  YARD_ASSIGN(Named named, ReadField());
  Order order{.field = std::move(named.field)};
  if (TakeWord("DESC")) {
    order.direction = Direction::kDescending;
  } else {
    TakeWord("ASC");
  }
  if (!AtEnd()) return Expected("ASC, DESC or the end");
  return order;
}

}  // namespace

Result<std::vector<Condition>> ParseFilter(std::string_view text, const Vocabulary& vocabulary) {
  YARD_TRY(CheckBytes(text));
  return Parser(text, vocabulary).Filter();
}

Status CheckOrders(std::size_t count) {
  if (count <= kMostOrders) return {};
  return TooMany("orders", kMostOrders);
}

Result<Order> ParseOrder(std::string_view text, const Vocabulary& vocabulary) {
  YARD_TRY(CheckBytes(text));
  return Parser(text, vocabulary).OrderBy();
}

}  // namespace yard::facade::mlflow

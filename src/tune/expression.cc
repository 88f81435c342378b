#include "tune/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/check.h"

namespace yard::tune {
namespace {

// Deeper nesting than this is refused, so that a hostile text cannot exhaust the stack.
constexpr int kMaxDepth = 64;

struct Operator {
  std::string_view word;
  int level;  // binds tighter the higher it is
};

constexpr std::array kOperators = {
    Operator{"or", 1}, Operator{"and", 2}, Operator{"<=", 3}, Operator{">=", 3}, Operator{"==", 3},
    Operator{"!=", 3}, Operator{"<", 3},   Operator{">", 3},  Operator{"+", 4},  Operator{"-", 4},
    Operator{"*", 5},  Operator{"/", 5},   Operator{"%", 5},  Operator{"^", 7},
};
constexpr int kUnaryLevel = 6;

constexpr std::array<std::string_view, 7> kOneArgument = {"abs",   "sqrt", "log",  "exp",
                                                          "floor", "ceil", "round"};
constexpr std::array<std::string_view, 2> kTwoArguments = {"min", "max"};

bool IsNameStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool IsNamePart(char c) {
  return IsNameStart(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

double Unary(std::string_view word, double x) {
  if (word == "-") return -x;
  if (word == "not") return x == 0 ? 1 : 0;
  if (word == "abs") return std::abs(x);
  if (word == "sqrt") return std::sqrt(x);
  if (word == "log") return std::log(x);
  if (word == "exp") return std::exp(x);
  if (word == "floor") return std::floor(x);
  if (word == "ceil") return std::ceil(x);
  return std::round(x);
}

double Compare(std::string_view word, double x, double y) {
  if (word == "<=") return x <= y ? 1 : 0;
  if (word == ">=") return x >= y ? 1 : 0;
  if (word == "==") return x == y ? 1 : 0;
  if (word == "!=") return x != y ? 1 : 0;
  if (word == "<") return x < y ? 1 : 0;
  return x > y ? 1 : 0;
}

double Binary(std::string_view word, double x, double y) {
  if (word == "+") return x + y;
  if (word == "-") return x - y;
  if (word == "*") return x * y;
  if (word == "/") return x / y;
  if (word == "%") return std::fmod(x, y);
  if (word == "^") return std::pow(x, y);
  if (word == "and") return x != 0 && y != 0 ? 1 : 0;
  if (word == "or") return x != 0 || y != 0 ? 1 : 0;
  if (word == "min") return std::min(x, y);
  if (word == "max") return std::max(x, y);
  return Compare(word, x, y);
}

}  // namespace

// By precedence climbing; emits operands before their operator.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) { result_.text_ = text; }

  Result<Expression> Run() {
    YARD_TRY(Operation(1, 0));
    SkipSpaces();
    if (at_ != text_.size()) return Wrong("an operator");
    return std::move(result_);
  }

 private:
  using Step = Expression::Step;

  std::unexpected<Error> Wrong(std::string_view wanted) const {
    return Fail(Code::kInvalid, fmt::format("expression '{}': {} is expected at column {}", text_,
                                            wanted, at_ + 1));
  }

  void SkipSpaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool Take(std::string_view word) {
    SkipSpaces();
    if (!text_.substr(at_).starts_with(word)) return false;
    std::size_t end = at_ + word.size();
    if (IsNameStart(word[0]) && end < text_.size() && IsNamePart(text_[end])) return false;
    at_ = end;
    return true;
  }

  std::optional<Operator> TakeOperator(int level) {
    for (const Operator& op : kOperators) {
      std::size_t before = at_;
      if (!Take(op.word)) continue;
      if (op.level >= level) return op;
      at_ = before;
      return std::nullopt;
    }
    return std::nullopt;
  }

  void Emit(Step::Kind kind, std::string_view word, double number = 0) {
    result_.steps_.push_back({kind, number, std::string(word)});
  }

  Status Operation(int level, int depth) {
    if (depth > kMaxDepth) return Wrong("less nesting");
    YARD_TRY(Operand(depth));
    while (std::optional<Operator> op = TakeOperator(level)) {
      // A power binds to the right: 2^3^2 is 2^9.
      YARD_TRY(Operation(op->word == "^" ? op->level : op->level + 1, depth + 1));
      Emit(Step::Kind::kBinary, op->word);
    }
    return {};
  }

  Status Operand(int depth) {
    if (Take("(")) {
      YARD_TRY(Operation(1, depth + 1));
      return Take(")") ? Status() : Status(Wrong("')'"));
    }
    for (std::string_view word : {std::string_view("-"), std::string_view("not")}) {
      if (!Take(word)) continue;
      YARD_TRY(Operation(word == "not" ? 3 : kUnaryLevel, depth + 1));
      Emit(Step::Kind::kUnary, word);
      return {};
    }
    if (at_ < text_.size() && text_[at_] == '\'') return Text();
    if (at_ < text_.size() && IsNameStart(text_[at_])) return NameOrCall(depth);
    return Number();
  }

  Status Text() {
    std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return Wrong("a closing quote");
    Emit(Step::Kind::kText, text_.substr(at_, end + 1 - at_));
    at_ = end + 1;
    return {};
  }

  Status Number() {
    double number = 0;
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc()) return Wrong("a number, a name or '('");
    at_ = static_cast<std::size_t>(end - text_.data());
    Emit(Step::Kind::kNumber, "", number);
    return {};
  }

  Status NameOrCall(int depth) {
    std::size_t start = at_;
    while (at_ < text_.size() && IsNamePart(text_[at_])) ++at_;
    std::string_view name = text_.substr(start, at_ - start);
    bool one = std::ranges::find(kOneArgument, name) != kOneArgument.end();
    bool two = std::ranges::find(kTwoArguments, name) != kTwoArguments.end();
    if ((!one && !two) || !Take("(")) {
      Emit(Step::Kind::kName, name);
      return {};
    }
    YARD_TRY(Operation(1, depth + 1));
    if (two && !Take(",")) return Wrong("','");
    if (two) YARD_TRY(Operation(1, depth + 1));
    if (!Take(")")) return Wrong("')'");
    Emit(two ? Step::Kind::kBinary : Step::Kind::kUnary, name);
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Expression result_;
};

Result<Expression> Expression::Parse(std::string_view text) {
  return ExpressionParser(text).Run();
}

double Expression::Evaluate(const Lookup& lookup) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::kNumber:
        stack.push_back(step.number);
        break;
      case Step::Kind::kName:
      case Step::Kind::kText:
        stack.push_back(lookup(step.word));
        break;
      case Step::Kind::kUnary:
        stack.back() = Unary(step.word, stack.back());
        break;
      case Step::Kind::kBinary: {
        double right = stack.back();
        stack.pop_back();
        stack.back() = Binary(step.word, stack.back(), right);
        break;
      }
    }
  }
  YARD_CHECK(stack.size() == 1);
  return stack.back();
}

std::vector<std::string> Expression::Names() const {
  std::vector<std::string> names;
  for (const Step& step : steps_) {
    if (step.kind == Step::Kind::kName && std::ranges::find(names, step.word) == names.end()) {
      names.push_back(step.word);
    }
  }
  return names;
}

std::vector<std::string> Expression::Texts() const {
  std::vector<std::string> texts;
  for (const Step& step : steps_) {
    if (step.kind == Step::Kind::kText) texts.push_back(step.word.substr(1, step.word.size() - 2));
  }
  return texts;
}

}  // namespace yard::tune

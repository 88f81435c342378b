// Expressions over parameters: for constraints ("units * layers <= 4096") and derived values
// ("batch_size * envs").
//
// Numbers, parameter names, + - * / % ^, comparisons, and, or, not, parentheses, 'text' (a choice
// of a categorical parameter) and the functions min, max, abs, sqrt, log, exp, floor, ceil, round.
// True is 1, false is 0. An expression is a value; copies share nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard::tune {

class Expression {
 public:
  static Result<Expression> Parse(std::string_view text);

  // The value of a name, or of a quoted text (given with its quotes).
  using Lookup = std::function<double(std::string_view)>;
  double Evaluate(const Lookup& lookup) const;

  const std::string& text() const { return text_; }
  // Names that the expression reads, each once, without quoted texts.
  std::vector<std::string> Names() const;
  // Quoted texts, without their quotes.
  std::vector<std::string> Texts() const;

 private:
  friend class ExpressionParser;
  // In the order of evaluation: operands first (reverse Polish).
  struct Step {
    enum class Kind { kNumber, kName, kText, kUnary, kBinary };
    Kind kind = Kind::kNumber;
    double number = 0;
    std::string word;  // name, text with quotes, operator or function
  };

  std::string text_;
  std::vector<Step> steps_;
};

}  // namespace yard::tune

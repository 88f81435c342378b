// A command line as a list of words, in one piece of memory.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard {

class Words {
 public:
  Words() = default;
  Words(std::initializer_list<std::string_view> words);

  void Add(std::string_view word);  // up to its first NUL, as the system takes it
  bool empty() const { return joined_.empty(); }
  std::vector<std::string> List() const;
  bool operator==(const Words&) const = default;

 private:
  std::string joined_;  // each word with a NUL after it
};

// Splits a text as a shell would: quotes group, a backslash takes the next character as it is.
// kInvalid if a quote is not closed.
Result<Words> SplitWords(std::string_view text);

// In single quotes, so that a shell takes it as one word whatever it holds.
std::string QuoteWord(std::string_view word);
// One text that a shell splits into the same words.
std::string JoinWords(const Words& words);

}  // namespace yard

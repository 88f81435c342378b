#include "model/spec/words.h"

namespace yard {
namespace {

class Splitter {
 public:
  explicit Splitter(std::string_view text) : rest_(text) {}

  Result<Words> Split() {
    while (!rest_.empty()) {
      char c = Take();
      if (c == ' ' || c == '\t' || c == '\n') {
        EndWord();
      } else if (c == '\'' || c == '"') {
        if (!TakeQuoted(c)) return Fail(Code::kInvalid, "a quote is not closed");
      } else {
        Put(c == '\\' && !rest_.empty() ? Take() : c);
      }
    }
    EndWord();
    return std::move(words_);
  }

 private:
  char Take() {
    char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  void Put(char c) {
    word_ += c;
    inside_ = true;
  }
  void EndWord() {
    if (inside_) words_.Add(word_);
    word_.clear();
    inside_ = false;
  }
  bool TakeQuoted(char quote) {
    inside_ = true;
    while (!rest_.empty()) {
      char c = Take();
      if (c == quote) return true;
      bool escaped = quote == '"' && c == '\\' && !rest_.empty() &&
                     std::string_view("\"\\$`").contains(rest_.front());
      Put(escaped ? Take() : c);
    }
    return false;
  }

  std::string_view rest_;
  std::string word_;
  bool inside_ = false;
  Words words_;
};

bool IsPlain(std::string_view word) {
  return !word.empty() && word.find_first_of(" \t\n'\"\\") == std::string_view::npos;
}

}  // namespace

Words::Words(std::initializer_list<std::string_view> words) {
  for (std::string_view word : words) Add(word);
}

void Words::Add(std::string_view word) {
  joined_ += word.substr(0, word.find('\0'));
  joined_ += '\0';
}

std::vector<std::string> Words::List() const {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < joined_.size();) {
    std::size_t end = joined_.find('\0', at);
    words.emplace_back(joined_, at, end - at);
    at = end + 1;
  }
  return words;
}

Result<Words> SplitWords(std::string_view text) {
  return Splitter(text).Split();
}

std::string QuoteWord(std::string_view word) {
  std::string out = "'";
  for (char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string JoinWords(const Words& words) {
  std::string text;
  for (const std::string& word : words.List()) {
    if (!text.empty()) text += ' ';
    text += IsPlain(word) ? word : QuoteWord(word);
  }
  return text;
}

}  // namespace yard

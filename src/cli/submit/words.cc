#include "cli/submit/words.h"

#include <algorithm>

namespace yard::cli {
namespace {

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_@%+=:,./-").contains(c);
}

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Reads one text from left to right, word by word.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> Run() {
    while (at_ < text_.size()) YARD_TRY(Step());
    End();
    return std::move(words_);
  }

 private:
  Status Step() {
    char c = text_[at_++];
    if (IsBlank(c)) {
      End();
      return {};
    }
    in_word_ = true;
    if (c == '\'') return Single();
    if (c == '"') return Double();
    if (c == '\\' && at_ < text_.size()) c = text_[at_++];
    word_ += c;
    return {};
  }

  Status Single() {
    std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) return Open();
    word_ += text_.substr(at_, end - at_);
    at_ = end + 1;
    return {};
  }

  Status Double() {
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == '"') return {};
      bool escapes =
          c == '\\' && at_ < text_.size() && std::string_view("\"\\$`").contains(text_[at_]);
      word_ += escapes ? text_[at_++] : c;
    }
    return Open();
  }

  static Status Open() { return Fail(Code::kInvalid, "a quote is not closed"); }

  void End() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_word_ = false;
  std::string word_;
  std::vector<std::string> words_;
};

}  // namespace

std::string QuoteWord(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, IsPlain)) return std::string(word);
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

std::string JoinWords(std::span<const std::string> words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    out += QuoteWord(word);
  }
  return out;
}

Result<std::vector<std::string>> SplitWords(std::string_view text) {
  return Splitter(text).Run();
}

bool IsShellLine(std::span<const std::string> words) {
  return words.size() == 1 && std::ranges::any_of(words[0], IsBlank);
}

std::vector<std::string> ShellCommand(const std::string& line) {
  return {"/bin/sh", "-c", line};
}

}  // namespace yard::cli

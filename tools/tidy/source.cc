#include "tools/tidy/source.h"

#include <cctype>

#include "base/strings.h"

namespace yard::tools {
namespace {

bool IsIdentifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Walks over a file once and blanks what is not code. Newlines stay, so lines keep their numbers.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), out_(text) {}

  std::string Run() {
    while (at_ < text_.size()) {
      if (Starts("//")) {
        BlankTo(EndOf("\n", 0));
      } else if (Starts("/*")) {
        BlankTo(EndOf("*/", 2));
      } else if (IsRawString()) {
        BlankRawString();
      } else if (text_[at_] == '"' || (text_[at_] == '\'' && !IsDigitSeparator())) {
        BlankQuoted(text_[at_]);
      } else {
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  bool Starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  // The position behind the next `what`, or the end of the text.
  std::size_t EndOf(std::string_view what, std::size_t length) const {
    std::size_t found = text_.find(what, at_ + length);
    return found == std::string_view::npos ? text_.size() : found + length;
  }

  void BlankTo(std::size_t end) {
    for (; at_ < end; ++at_) {
      if (text_[at_] != '\n') out_[at_] = ' ';
    }
  }

  bool IsRawString() const {
    return Starts("R\"") && (at_ == 0 || !IsIdentifier(text_[at_ - 1]) ||
                             std::string_view("uUL8").contains(text_[at_ - 1]));
  }

  // 1'000'000: a quote between two digits or letters of a number.
  bool IsDigitSeparator() const {
    return at_ > 0 && std::isxdigit(static_cast<unsigned char>(text_[at_ - 1])) != 0 &&
           at_ + 1 < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_ + 1])) != 0;
  }

  void BlankRawString() {
    std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return BlankTo(text_.size());
    std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    std::size_t end = text_.find(close, open);
    BlankTo(end == std::string_view::npos ? text_.size() : end + close.size());
  }

  void BlankQuoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    ++at_;
    BlankTo(std::min(end, text_.size()));
    ++at_;
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  for (std::string_view line : Split(text, '\n')) lines.emplace_back(line);
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// The include of one line, if it is one.
void AddInclude(const std::string& code, const std::string& line, int number,
                std::vector<Include>& includes) {
  std::string_view rest = Trim(code);
  if (!rest.starts_with('#') || !Trim(rest.substr(1)).starts_with("include")) return;
  std::size_t open = line.find_first_of("\"<");
  if (open == std::string::npos) return;
  bool quoted = line[open] == '"';
  std::size_t close = line.find(quoted ? '"' : '>', open + 1);
  if (close == std::string::npos) return;
  includes.push_back({number, line.substr(open + 1, close - open - 1),
                      quoted ? IncludeForm::kQuoted : IncludeForm::kAngled});
}

}  // namespace

Source ParseSource(const SourceFile& file) {
  Source source{file.path, Lines(file.content), Lines(Blanker(file.content).Run()), {}};
  for (std::size_t i = 0; i < source.code.size(); ++i) {
    AddInclude(source.code[i], source.lines[i], static_cast<int>(i) + 1, source.includes);
  }
  return source;
}

bool IsCpp(std::string_view path) {
  return path.ends_with(".cc") || path.ends_with(".h");
}

bool IsHeader(std::string_view path) {
  return path.ends_with(".h");
}

bool IsTest(std::string_view path) {
  return path.ends_with("_test.cc") || path.ends_with("_bench.cc") || path.ends_with("_fuzz.cc") ||
         path.starts_with("tests/") || path.starts_with("bench/");
}

std::string ModuleOf(std::string_view path) {
  if (path.starts_with("src/")) path.remove_prefix(4);
  std::size_t slash = path.find('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

std::string IncludePath(std::string_view path) {
  if (path.starts_with("src/")) path.remove_prefix(4);
  return std::string(path);
}

bool IsWordAt(std::string_view text, std::size_t at, std::string_view word) {
  std::size_t end = at + word.size();
  bool starts = at == 0 || !IsIdentifier(text[at - 1]) || !IsIdentifier(word.front());
  bool ends = end >= text.size() || !IsIdentifier(text[end]) || !IsIdentifier(word.back());
  return starts && ends;
}

}  // namespace yard::tools

// Source files as values: text, code without comments and literals, includes, place in the tree.
//
// Everything here is pure, so that the rules can be tested on made-up trees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yard::tools {

struct SourceFile {
  std::string path;  // from the root of the repository
  std::string content;
};

struct Finding {
  std::string path;
  int line = 0;
  std::string rule;
  std::string message;

  bool operator==(const Finding&) const = default;
};

enum class IncludeForm { kQuoted, kAngled };

struct Include {
  int line = 0;
  std::string path;
  IncludeForm form = IncludeForm::kQuoted;
};

// A parsed C++ file. `code` has the lines of the file with the inside of comments and literals
// replaced by spaces.
struct Source {
  std::string path;
  std::vector<std::string> lines;
  std::vector<std::string> code;
  std::vector<Include> includes;
};

Source ParseSource(const SourceFile& file);

bool IsCpp(std::string_view path);
bool IsHeader(std::string_view path);

// A test, benchmark or fuzz program: by file name, or by standing under tests/ or bench/.
bool IsTest(std::string_view path);

// "src/sched/order/fair.cc" -> "sched"; outside src the top folder: "sim", "tools".
std::string ModuleOf(std::string_view path);

// As an #include names it: "src/sched/plan.h" -> "sched/plan.h"; outside src the path itself.
std::string IncludePath(std::string_view path);

// Whether `word` stands at `at` without being part of a longer identifier.
bool IsWordAt(std::string_view text, std::size_t at, std::string_view word);

}  // namespace yard::tools

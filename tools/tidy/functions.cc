#include "tools/tidy/functions.h"

#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "base/strings.h"

namespace yard::tools {
namespace {

// Behind "template <...>", if the text starts so.
std::string_view SkipTemplate(std::string_view head) {
  while (head.starts_with("template")) {
    std::size_t at = head.find('<');
    if (at == std::string_view::npos) return head;
    for (int depth = 0; at < head.size(); ++at) {
      if (head[at] == '<') ++depth;
      if (head[at] == '>' && --depth == 0) break;
    }
    head = Trim(head.substr(std::min(at + 1, head.size())));
  }
  return head;
}

bool IsAccess(std::string_view head) {
  return head == "public" || head == "private" || head == "protected";
}

bool IsTypeOrNamespace(std::string_view head) {
  for (std::string_view word :
       {"namespace", "inline namespace", "class", "struct", "enum", "union"}) {
    if (head.starts_with(word) && IsWordAt(head, 0, word)) return true;
  }
  return false;
}

// An "=" outside parentheses that assigns, so that the brace starts a value.
bool IsInitializer(std::string_view head) {
  int depth = 0;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '(') ++depth;
    if (head[i] == ')') --depth;
    if (head[i] != '=' || depth != 0) continue;
    std::string_view before = Trim(head.substr(0, i));
    bool is_operator = before.contains("operator");
    bool is_lambda = head.find('[', i) != std::string_view::npos;
    return !is_operator && !is_lambda;
  }
  return false;
}

// The word before the parameters, with its class: "Server::Start".
std::string NameOf(std::string_view head) {
  std::string_view before = Trim(head.substr(0, head.find('(')));
  std::size_t space = before.find_last_of(" *&\n");
  return std::string(space == std::string_view::npos ? before : before.substr(space + 1));
}

std::optional<std::string> FunctionName(std::string_view head) {
  head = SkipTemplate(Trim(head));
  if (head.find('(') == std::string_view::npos) return std::nullopt;
  if (IsTypeOrNamespace(head) || IsInitializer(head)) return std::nullopt;
  return NameOf(head);
}

class Scanner {
 public:
  std::vector<Function> Run(const Source& source) {
    bool in_directive = false;
    for (line_ = 1; line_ <= static_cast<int>(source.code.size()); ++line_) {
      const std::string& line = source.code[static_cast<std::size_t>(line_ - 1)];
      in_directive = in_directive || Trim(line).starts_with('#');
      if (!in_directive) ReadLine(line);
      in_directive = in_directive && line.ends_with('\\');
    }
    return std::move(functions_);
  }

 private:
  void ReadLine(std::string_view line) {
    for (char c : line) ReadChar(c);
    head_ += '\n';
  }

  void ReadChar(char c) {
    if (function_depth_ > 0) return ReadInFunction(c);
    if (c == '(') ++parens_;
    if (c == ')') --parens_;
    if (c == '{' && parens_ == 0) return OpenBrace();
    if ((c == ';' || c == '}') && parens_ == 0) return StartHead();
    if (c == ':' && IsAccess(Trim(head_))) return StartHead();
    if (head_line_ == 0 && std::isspace(static_cast<unsigned char>(c)) == 0) head_line_ = line_;
    head_ += c;
  }

  void ReadInFunction(char c) {
    if (c == '{') ++function_depth_;
    if (c != '}' || --function_depth_ > 0) return;
    functions_.back().length = line_ - functions_.back().line + 1;
    StartHead();
  }

  void OpenBrace() {
    std::optional<std::string> name = FunctionName(head_);
    if (name) {
      // A constructor goes on after a member that was initialised with braces.
      bool goes_on = Trim(head_).starts_with(',') && !functions_.empty();
      if (!goes_on) functions_.push_back({*name, head_line_, 0});
      function_depth_ = 1;
    }
    StartHead();
  }

  void StartHead() {
    head_.clear();
    head_line_ = 0;
  }

  std::vector<Function> functions_;
  std::string head_;  // what was read since the last statement or brace
  int head_line_ = 0;
  int line_ = 0;
  int parens_ = 0;
  int function_depth_ = 0;  // open braces inside the current function; 0 outside
};

}  // namespace

std::vector<Function> FindFunctions(const Source& source) {
  return Scanner().Run(source);
}

}  // namespace yard::tools

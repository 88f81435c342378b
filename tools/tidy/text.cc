#include "tools/tidy/text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"
#include "tools/tidy/functions.h"

namespace yard::tools {
namespace {

// Each in two halves, so that this file passes its own check.
constexpr std::array<std::string_view, 4> kNotes = {
    "TO"
    "DO",
    "FIX"
    "ME",
    "XX"
    "X",
    "HA"
    "CK"};
constexpr std::string_view kRootHome =
    "/ro"
    "ot/";
constexpr std::string_view kUserHome =
    "/ho"
    "me/";

// Characters, not bytes: continuation bytes of UTF-8 take no column.
int Columns(std::string_view line) {
  return static_cast<int>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

int CheckFunctions(const Source& source, std::vector<Finding>& findings) {
  int longer_than_wanted = 0;
  for (const Function& function : FindFunctions(source)) {
    if (function.length > kFunctionLinesWanted) ++longer_than_wanted;
    if (function.length <= kFunctionLinesMax) continue;
    findings.push_back({source.path, function.line, "function-size",
                        fmt::format("'{}' has {} lines; at most {}, better {}", function.name,
                                    function.length, kFunctionLinesMax, kFunctionLinesWanted)});
  }
  return longer_than_wanted;
}

bool IsSnake(std::string_view name) {
  return std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

bool HasWord(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    if (IsWordAt(line, at, word)) return true;
  }
  return false;
}

// Prose and tests may speak of home folders, which are part of the product's world.
bool MayNameHomes(std::string_view path) {
  return path.ends_with(".md") || IsTest(path) || path.starts_with("examples/");
}

}  // namespace

int CheckSizes(const Source& source, std::vector<Finding>& findings) {
  int limit = IsHeader(source.path) ? kHeaderLinesMax : kSourceLinesMax;
  int count = static_cast<int>(source.lines.size());
  if (count > limit) {
    findings.push_back(
        {source.path, limit + 1, "file-size", fmt::format("{} lines; at most {}", count, limit)});
  }
  for (int i = 0; i < count; ++i) {
    int columns = Columns(source.lines[static_cast<std::size_t>(i)]);
    if (columns <= kColumnsMax) continue;
    findings.push_back({source.path, i + 1, "line-size",
                        fmt::format("{} columns; at most {}", columns, kColumnsMax)});
  }
  return CheckFunctions(source, findings);
}

void CheckName(const SourceFile& file, std::vector<Finding>& findings) {
  std::string_view stem = file.path;
  stem = stem.substr(0, stem.rfind('.'));
  for (std::string_view part : Split(stem, '/')) {
    if (IsSnake(part)) continue;
    findings.push_back({file.path, 1, "name", fmt::format("'{}' is not snake_case", part)});
  }
}

void CheckLeftovers(const SourceFile& file, std::vector<Finding>& findings) {
  int number = 0;
  for (std::string_view line : Split(file.content, '\n')) {
    ++number;
    for (std::string_view note : kNotes) {
      if (!HasWord(line, note)) continue;
      findings.push_back(
          {file.path, number, "note", fmt::format("'{}': do it, or file an issue", note)});
    }
    bool names_home = line.contains(kUserHome) && !MayNameHomes(file.path);
    if (!names_home && !line.contains(kRootHome)) continue;
    findings.push_back({file.path, number, "machine-path", "a path of one machine"});
  }
}

}  // namespace yard::tools

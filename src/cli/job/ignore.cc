#include "cli/job/ignore.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/strings.h"
#include "data/manifest.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 1 << 20;
// A pattern with more of these tries too many ways.
constexpr std::size_t kMostParts = 64;

using Parts = std::span<const std::string>;

bool MatchParts(Parts pattern, Parts path) {
  while (!pattern.empty() && pattern.front() != "**") {
    if (path.empty() || ::fnmatch(pattern.front().c_str(), path.front().c_str(), 0) != 0)
      return false;
    pattern = pattern.subspan(1);
    path = path.subspan(1);
  }
  if (pattern.empty()) return path.empty();
  while (!pattern.empty() && pattern.front() == "**") pattern = pattern.subspan(1);
  if (pattern.empty()) return !path.empty();
  for (std::size_t skip = 0; skip < path.size(); ++skip)
    if (MatchParts(pattern, path.subspan(skip))) return true;
  return false;
}

std::vector<std::string> PartsOf(std::string_view path) {
  std::vector<std::string> parts;
  for (std::string_view part : Split(path, '/'))
    if (!part.empty() && part != ".") parts.emplace_back(part);
  return parts;
}

// Blanks at the end belong to the name only behind a backslash.
std::string_view WithoutBlanks(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

std::optional<IgnoreRule> ReadRule(std::string_view line, IgnoreGrammar grammar) {
  line = grammar == IgnoreGrammar::kDocker ? Trim(line) : WithoutBlanks(line);
  if (line.empty() || line.starts_with('#')) return std::nullopt;
  IgnoreRule rule;
  if (line.starts_with('!')) {
    rule.brings_back = true;
    line.remove_prefix(1);
  }
  const bool git = grammar == IgnoreGrammar::kGit;
  rule.folders_only = git && line.ends_with('/');
  while (line.ends_with('/')) line.remove_suffix(1);
  const bool anchored = !git || line.contains('/');
  rule.parts = PartsOf(line);
  if (!anchored) rule.parts.insert(rule.parts.begin(), "**");
  if (rule.parts.empty() || rule.parts.size() > kMostParts) return std::nullopt;
  return rule;
}

// Docker leaves out what lies below a match, too.
bool MatchesAround(const IgnoreRule& rule, std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
    if (Matches(rule, path.substr(0, slash), true)) return true;
  return Matches(rule, path, true);
}

}  // namespace

std::vector<IgnoreRule> ReadIgnoreRules(std::string_view text, IgnoreGrammar grammar) {
  std::vector<IgnoreRule> rules;
  for (std::string_view line : Split(text, '\n'))
    if (std::optional<IgnoreRule> rule = ReadRule(line, grammar)) rules.push_back(*std::move(rule));
  return rules;
}

bool Matches(const IgnoreRule& rule, std::string_view path, bool is_folder) {
  if (rule.folders_only && !is_folder) return false;
  const std::vector<std::string> parts = PartsOf(path);
  return MatchParts(rule.parts, parts);
}

Ignore::Ignore(std::string root, std::vector<std::string> outputs)
    : root_(std::move(root)), outputs_(std::move(outputs)) {
  docker_ = ReadIgnoreRules(TextOf(".dockerignore"), IgnoreGrammar::kDocker);
  own_ = ReadIgnoreRules(TextOf(".gpuyardignore"), IgnoreGrammar::kGit);
  docker_brings_back_ = std::ranges::any_of(docker_, &IgnoreRule::brings_back);
}

// A link is not followed: it may lead anywhere.
std::string Ignore::TextOf(const std::string& path) {
  const std::string full = fmt::format("{}/{}", root_, path);
  std::error_code error;
  const fs::file_status status = fs::symlink_status(full, error);
  if (error || status.type() == fs::file_type::not_found) return {};
  const bool plain = fs::is_regular_file(status) && fs::file_size(full, error) <= kLargestFile;
  Result<std::string> text = plain ? ReadFile(full) : Fail(Code::kInvalid, "");
  if (text) return *std::move(text);
  problems_.push_back(data::Printable(path));
  return {};
}

const std::vector<IgnoreRule>& Ignore::RulesIn(const std::string& folder) {
  auto known = by_folder_.find(folder);
  if (known != by_folder_.end()) return known->second;
  const std::string path = folder.empty() ? ".gitignore" : folder + "/.gitignore";
  return by_folder_.emplace(folder, ReadIgnoreRules(TextOf(path), IgnoreGrammar::kGit))
      .first->second;
}

bool Ignore::Skips(const std::string& path, bool is_folder) {
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  if (name == ".git" || std::ranges::find(outputs_, path) != outputs_.end()) return true;
  bool skips = false;
  auto apply = [&](const std::vector<IgnoreRule>& rules, std::string_view below) {
    for (const IgnoreRule& rule : rules)
      if (Matches(rule, below, is_folder)) skips = !rule.brings_back;
  };
  apply(RulesIn(""), path);
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
    apply(RulesIn(path.substr(0, slash)), std::string_view(path).substr(slash + 1));
  for (const IgnoreRule& rule : docker_)
    if (MatchesAround(rule, path)) skips = !rule.brings_back;
  apply(own_, path);
  // A line further down may bring back what a folder holds.
  return skips && !(is_folder && docker_brings_back_);
}

}  // namespace yard::cli

#include "engine/slurm/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/uuid.h"

namespace yard::engine::slurm {

std::string ShellWord(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  }
  return word + "'";
}

std::string ShellLine(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += ShellWord(word);
  }
  return line;
}

std::string FolderName(const TaskKey& key) {
  return fmt::format("{}.{}", FormatUuid(key.attempt.value), key.rank);
}

std::string JobName(const TaskKey& key) {
  return "gpuyard-" + FolderName(key);
}

std::optional<TaskKey> ParseFolderName(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::optional<Uuid> attempt = ParseUuid(name.substr(0, dot));
  const std::optional<std::int64_t> rank = ParseInt(name.substr(dot + 1));
  if (!attempt || !rank || *rank < 0 || *rank > INT32_MAX) return std::nullopt;
  return TaskKey{AttemptId(*attempt), static_cast<std::int32_t>(*rank)};
}

std::string PlainText(std::string_view text) {
  constexpr std::size_t kMost = 200;
  std::string plain(text.substr(0, kMost));
  std::ranges::replace_if(
      plain, [](char c) { return c < ' ' || c > '~' || c == '\'' || c == '"' || c == '|'; }, '?');
  return plain;
}

}  // namespace yard::engine::slurm

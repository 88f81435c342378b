#include "cli/cluster/names.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::cli {
namespace {

constexpr std::size_t kLongestClusterName = 40;
constexpr std::size_t kLongestHostName = 253;
constexpr std::size_t kLongestNodeName = 63;
constexpr std::size_t kLongestAccountName = 32;
constexpr std::size_t kLongestFolder = 80;  // the server's limit for `folder`
constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kLongestKey = 8192;
constexpr std::string_view kSmall = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kLarge = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";

bool IsOf(char c, std::string_view set) {
  return set.contains(c);
}

bool IsLetterOrDigit(char c) {
  return IsOf(c, kSmall) || IsOf(c, kLarge) || IsOf(c, kDigits);
}

// Letters, digits and `others`, and a letter or digit in front: never an option.
bool IsWord(std::string_view text, std::string_view others, std::size_t longest) {
  return !text.empty() && text.size() <= longest && IsLetterOrDigit(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return IsLetterOrDigit(c) || IsOf(c, others); });
}

}  // namespace

bool IsClusterName(std::string_view name) {
  const bool small = std::ranges::none_of(name, [](char c) { return IsOf(c, kLarge); });
  return small && IsWord(name, "-", kLongestClusterName) && name.back() != '-' && name != "local";
}

bool IsHostName(std::string_view name) {
  return IsWord(name, ".-_", kLongestHostName);
}

bool IsNodeName(std::string_view name) {
  return IsWord(name, "-", kLongestNodeName) && name != "localhost";
}

bool IsAddress(std::string_view text) {
  constexpr std::size_t kLongest = 45;
  const bool plain =
      std::ranges::all_of(text, [](char c) { return IsOf(c, "0123456789abcdef.:"); });
  return plain && !text.empty() && text.size() <= kLongest &&
         (text.contains('.') || text.contains(':'));
}

bool IsAccountName(std::string_view name) {
  const bool small = std::ranges::none_of(name, [](char c) { return IsOf(c, kLarge); });
  return small && IsWord(name, "-_", kLongestAccountName) && !IsOf(name.front(), kDigits) &&
         name != "root";
}

bool IsSharedFolder(std::string_view path) {
  if (path.size() < 2 || path.size() > kLongestFolder || path.front() != '/') return false;
  return std::ranges::all_of(Split(path.substr(1), '/'), [](std::string_view part) {
    return IsWord(part, ".-_", kLongestFolder);
  });
}

bool IsPlainPath(std::string_view path) {
  return !path.empty() && path.size() <= kLongestPath && path.front() != '-' &&
         std::ranges::none_of(path,
                              [](unsigned char c) { return c < ' ' || c == 0x7f || c == '"'; });
}

bool IsPublicKey(std::string_view line) {
  if (line.size() > kLongestKey) return false;
  const std::vector<std::string_view> words = Split(line, ' ');
  auto plain = [](std::string_view word) { return IsWord(word, "-_.@+/=", kLongestKey); };
  return words.size() >= 2 && std::ranges::all_of(words, plain) &&
         (words[0].starts_with("ssh-") || words[0].starts_with("ecdsa-"));
}

Status CheckClusterName(std::string_view name) {
  if (IsClusterName(name)) return {};
  return Fail(Code::kInvalid, fmt::format("'{}' is not a name for a cluster", name),
              "small letters, digits and '-', at most 40, and not `local`");
}

Status CheckHostName(std::string_view name) {
  if (IsHostName(name)) return {};
  return Fail(
      Code::kInvalid, fmt::format("'{}' is not the name of a host", name),
      "letters, digits, '.', '-' and '_'; an account is said by --ssh-user, a port by --ssh-port");
}

}  // namespace yard::cli

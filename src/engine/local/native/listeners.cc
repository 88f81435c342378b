#include "engine/local/native/listeners.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/file.h"
#include "base/strings.h"

namespace yard::engine {
namespace {

constexpr std::string_view kListening = "0A";
// As the kernel writes them: everywhere, 127.0.0.1, and the same two in IPv6.
constexpr std::array<std::string_view, 4> kReached = {
    "00000000", "0100007F", "00000000000000000000000000000000", "0000000000000000FFFF00000100007F"};

std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::string_view word : Split(line, ' '))
    if (!word.empty()) words.push_back(word);
  return words;
}

bool IsReached(std::string_view address, std::uint16_t port) {
  const std::size_t colon = address.find(':');
  if (colon == std::string_view::npos) return false;
  return std::ranges::find(kReached, address.substr(0, colon)) != kReached.end() &&
         address.substr(colon + 1) == fmt::format("{:04X}", port);
}

}  // namespace

// "sl local_address rem_address st queues timer retransmits uid timeout inode …"
std::vector<ListeningSocket> ParseListeners(std::string_view table, std::uint16_t port) {
  constexpr std::size_t kAddress = 1, kState = 3, kUid = 7, kInode = 9;
  std::vector<ListeningSocket> found;
  for (std::string_view line : Split(table, '\n')) {
    const std::vector<std::string_view> words = WordsOf(line);
    if (words.size() <= kInode || words[kState] != kListening) continue;
    if (!IsReached(words[kAddress], port)) continue;
    found.push_back({static_cast<std::uint64_t>(ParseInt(words[kInode]).value_or(0)),
                     static_cast<std::uint32_t>(ParseInt(words[kUid]).value_or(0))});
  }
  std::ranges::sort(found);
  return found;
}

std::vector<ListeningSocket> ListenersOn(std::uint16_t port) {
  std::vector<ListeningSocket> found = ParseListeners(ReadFileOrEmpty("/proc/net/tcp"), port);
  std::ranges::copy(ParseListeners(ReadFileOrEmpty("/proc/net/tcp6"), port),
                    std::back_inserter(found));
  return found;
}

bool HoldSocket(std::span<const int> pids, std::uint64_t inode) {
  namespace fs = std::filesystem;
  const std::string wanted = fmt::format("socket:[{}]", inode);
  for (const int pid : pids) {
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/fd", pid), gone))
      if (fs::read_symlink(entry.path(), gone) == wanted) return true;
  }
  return false;
}

}  // namespace yard::engine

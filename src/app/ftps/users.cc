#include "app/ftps/users.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/ftps/layout.h"
#include "base/strings.h"

namespace yard::app::ftps {
namespace {

constexpr std::size_t kFields = 7;  // of a line of passwd(5)
constexpr std::size_t kMostDigits = 18;

bool IsFolder(std::string_view name) {
  return !name.empty() && name.size() <= kMostDigits &&
         std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

// Goes to a program as one word.
bool IsName(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.';
  });
}

std::optional<std::pair<std::string, FtpsUser>> ReadLine(std::string_view line) {
  const std::vector<std::string_view> fields = Split(line, ':');
  if (fields.size() != kFields || !IsName(fields[0])) return std::nullopt;
  const std::optional<std::int64_t> id = ParseInt(fields[2]);
  if (!id || *id < kFirstProject || *id >= kFirstProject + kMostProjects) return std::nullopt;
  const std::string place = fmt::format("/{}/", kFilesFolder);
  if (!fields[5].starts_with(place)) return std::nullopt;
  const std::string_view folder = fields[5].substr(place.size());
  if (!IsFolder(folder)) return std::nullopt;
  return std::pair{
      std::string(fields[0]),
      FtpsUser{std::string(line), static_cast<std::uint32_t>(*id), std::string(folder)}};
}

}  // namespace

std::map<std::string, FtpsUser> ReadUsers(std::string_view text) {
  std::map<std::string, FtpsUser> users;
  for (const std::string_view line : Split(text, '\n')) {
    if (auto user = ReadLine(line)) users.insert(*std::move(user));
  }
  return users;
}

std::vector<std::string> Ended(const std::map<std::string, FtpsUser>& before,
                               const std::map<std::string, FtpsUser>& after) {
  std::vector<std::string> names;
  for (const auto& [name, user] : before) {
    const auto now = after.find(name);
    if (now == after.end() || now->second.line != user.line) names.push_back(name);
  }
  return names;
}

}  // namespace yard::app::ftps

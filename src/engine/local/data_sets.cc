#include "engine/local/data_sets.h"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace yard::engine {
namespace {

constexpr std::size_t kDigits = 64;
constexpr std::size_t kLongestNumber = 18;

bool IsNumber(std::string_view text) {
  return !text.empty() && text.size() <= kLongestNumber &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool IsVersion(std::string_view text) {
  return text.size() == kDigits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool IsFolder(const std::string& path) {
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

}  // namespace

Result<std::string> DataSetPath(const std::string& all, const std::string& source) {
  const std::size_t slash = source.find('/');
  const std::string project = source.substr(0, slash);
  const bool sound = slash != std::string::npos && IsNumber(project) &&
                     IsVersion(std::string_view(source).substr(slash + 1));
  if (all.empty() || !sound)
    return Fail(Code::kInvalid, fmt::format("'{}' is no data set of this engine", source));
  std::string path = fmt::format("{}/{}", all, source);
  if (IsFolder(fmt::format("{}/{}", all, project)) && IsFolder(path)) return path;
  return Fail(Code::kInvalid, fmt::format("data set '{}' is not ready on this node", source));
}

}  // namespace yard::engine

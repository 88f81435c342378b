#include "engine/task.h"

#include <algorithm>

#include <fmt/format.h>

namespace yard::engine {

std::string HostName(std::string_view title, std::int32_t rank) {
  constexpr std::size_t kLongest = 50;
  const std::size_t slash = title.rfind('/');
  std::string name(slash == std::string_view::npos ? title : title.substr(slash + 1));
  std::erase_if(name, [](char c) {
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '-');
  });
  while (name.starts_with('-')) name.erase(0, 1);
  name.resize(std::min(name.size(), kLongest));
  return name.empty() ? std::string() : fmt::format("{}-{}", name, rank);
}

}  // namespace yard::engine

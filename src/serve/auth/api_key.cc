#include "serve/auth/api_key.h"

#include <algorithm>
#include <array>

namespace yard::serve {
namespace {

constexpr std::array<std::string_view, 2> kFarm{"/queue/management/", "/farm/"};

}  // namespace

std::optional<std::string_view> ApiKeyOf(const http::Request& request) {
  if (request.Find("authorization")) return std::nullopt;
  const std::string_view path = request.path();
  auto below = [path](std::string_view prefix) { return path.starts_with(prefix); };
  if (!std::ranges::any_of(kFarm, below)) return std::nullopt;
  return request.Find("x-api-key");
}

}  // namespace yard::serve

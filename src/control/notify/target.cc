#include "control/notify/target.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/mask.h"
#include "base/strings.h"

namespace yard::control {
namespace {

constexpr std::string_view kHidden = "…";

std::unexpected<Error> Refuse(std::string_view problem) {
  Error error{Code::kInvalid, fmt::format("target: {}", problem),
              "for example https://hooks.example.org/gpuyard"};
  error.fields.push_back({"target", std::string(problem)});
  return Fail(std::move(error));
}

}  // namespace

Result<UrlTarget> ReadUrlTarget(NotifyChannel channel, std::string_view url) {
  std::size_t scheme = url.find("://");
  std::string_view name = url.substr(0, scheme == std::string_view::npos ? 0 : scheme);
  if (!EqualsIgnoreCase(name, "http") && !EqualsIgnoreCase(name, "https")) {
    return Refuse("must be an http or https URL");
  }
  if (std::ranges::any_of(url, [](char c) { return c <= ' ' || c == '\\' || c == '\x7f'; })) {
    return Refuse("must not hold spaces, backslashes or control characters");
  }
  std::string_view rest = url.substr(scheme + 3);
  std::size_t end = rest.find_first_of("/?#");
  std::string_view host = rest.substr(0, end);
  if (host.substr(host.rfind('@') + 1).empty()) return Refuse("names no host");
  if (HoldsMask(url)) return Refuse("holds a mask instead of the credentials; send them again");
  std::string_view origin = url.substr(0, scheme + 3 + host.size());
  UrlTarget target{.url = std::string(url), .shown = std::string(url)};
  if (channel == NotifyChannel::kSlack) {
    target.shown = fmt::format("{}/{}", origin, kHidden);
  } else if (std::size_t query = url.find_first_of("?#"); query != std::string_view::npos) {
    target.shown = fmt::format("{}?{}", url.substr(0, query), kHidden);
  }
  target.shown = MaskUrls(std::move(target.shown));
  return target;
}

}  // namespace yard::control

#include "serve/addresses.h"

#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::serve {
namespace {

constexpr std::string_view kHttps = "https://";

// "host:port" without its port; the brackets of an IPv6 address stay.
std::string_view WithoutPort(std::string_view host) {
  std::size_t colon = host.rfind(':');
  bool has_port =
      colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos;
  return has_port ? host.substr(0, colon) : host;
}

// "https://host:port/path" -> "host:port"
std::string_view AuthorityOf(std::string_view url) {
  std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  url.remove_prefix(scheme + 3);
  return url.substr(0, url.find('/'));
}

}  // namespace

std::string AddressOf(const Door& door, const http::Request& request) {
  if (!door.url.empty()) return door.url;
  return fmt::format("{}://{}:{}", request.secure ? "https" : "http",
                     WithoutPort(request.Find("host").value_or("localhost")), door.port.load());
}

bool IsFromElsewhere(const Door& door, const http::Request& request) {
  std::optional<std::string_view> site = request.Find("sec-fetch-site");
  if (site && *site != "same-origin" && *site != "none") return true;
  std::optional<std::string_view> origin = request.Find("origin");
  if (!origin) return false;
  std::string_view authority = AuthorityOf(*origin);  // of "null": nothing
  if (authority.empty()) return true;
  if (EqualsIgnoreCase(authority, request.Find("host").value_or(""))) return false;
  return door.url.empty() || !EqualsIgnoreCase(authority, AuthorityOf(door.url));
}

bool IsSecure(const Door& door, const http::Request& request) {
  return request.secure || door.url.starts_with(kHttps);
}

}  // namespace yard::serve

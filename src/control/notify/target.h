// Where messages may go, as far as the text of the address says. Pure functions; thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/notify.h"

namespace yard::control {

struct UrlTarget {
  std::string url;
  std::string shown;  // without what may be secret in it
};

// Only http and https. Of a Slack address everything behind the host is secret, of others the
// query and the credentials.
Result<UrlTarget> ReadUrlTarget(NotifyChannel channel, std::string_view url);

}  // namespace yard::control

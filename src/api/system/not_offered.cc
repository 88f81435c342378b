// What the contract has and this server does not: reports, data volumes, notifications. Their lists
// are truly empty, and what would fill them says that it is not offered.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/handler.h"

namespace yard::api {
namespace {

struct Group {
  std::string_view what;  // "reports are"
  std::string_view instead;
};
constexpr Group kReports{"reports are", "read the metrics routes, or GET /metrics"};
constexpr Group kVolumes{"data volumes are", "share a data source: /api/v1/asset/datasource"};
constexpr Group kNotices{"notification channels are", "make rules at /api/v1/notifications/rules"};

struct Row {
  http::Method method;
  std::string_view path;
  const Group& group;
  std::string_view empty = "";  // the true answer of a list; none: 501
};

using enum http::Method;
constexpr Row kRows[] = {
    {kGet, "/api/v1/org-unit/reports", kReports, R"({"reports":[]})"},
    {kPost, "/api/v1/org-unit/reports", kReports},
    {kGet, "/api/v1/org-unit/reports/count", kReports, R"({"count":0})"},
    {kGet, "/api/v1/org-unit/reports/availability", kReports, R"({"isAvailable":false})"},
    {kGet, "/api/v1/datavolumes", kVolumes, R"({"datavolumes":[]})"},
    {kPost, "/api/v1/datavolumes", kVolumes},
    {kGet, "/api/v1/notification-types", kNotices, "[]"},
    {kGet, "/api/v1/notification-state", kNotices, R"({"enabled":false})"},
    {kPatch, "/api/v1/notification-state", kNotices},
    {kGet, "/api/v1/notification-channels", kNotices, "[]"},
    {kPost, "/api/v1/notification-channels", kNotices},
    {kPost, "/api/v1/validate-notification-channel", kNotices},
    {kGet, "/api/v1/subscriptions", kNotices, "[]"},
    {kPost, "/api/v1/subscriptions", kNotices},
};

Result<Answer> Tell(Call& call) {
  const Route& route = call.route();
  const Row* row = std::ranges::find_if(
      kRows, [&](const Row& r) { return r.method == route.method && r.path == route.path; });
  if (!row->empty.empty()) return Json(std::string(row->empty));
  return Fail(Code::kUnsupported, fmt::format("{} not offered by this server", row->group.what),
              std::string(row->group.instead));
}

}  // namespace

void AddNotOfferedRoutes(std::vector<Route>& routes) {
  for (const Row& row : kRows) {
    routes.push_back({row.method, row.path, SignedIn(), Tell,
                      row.empty.empty() ? "Not offered: answers 501" : "Not offered: always empty",
                      "", row.empty.empty() ? "" : "any"});
  }
}

}  // namespace yard::api

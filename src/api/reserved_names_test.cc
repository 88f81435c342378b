#include "model/reserved_names.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/groups.h"
#include "api/handler.h"
#include "api/testing/harness.h"
#include "base/strings.h"
#include "serve/proxy/target.h"
#include "web/files.h"

extern const char kDashboardRoutes[];  // see yard_paths

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

std::string_view FirstOf(std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  return path.substr(0, path.find('/'));
}

TEST(ReservedNames, CoverEveryRouteAndEveryFile) {
  for (const Route& route : AllRoutes()) {
    std::string_view first = FirstOf(route.path);
    // A project's name has no dot.
    EXPECT_TRUE(first.contains('.') || IsReservedName(first)) << route.path;
  }
  for (const web::File& file : web::Files()) {
    std::string_view first = FirstOf(file.path);
    EXPECT_TRUE(first.contains('.') || IsReservedName(first)) << file.path;
  }
}

TEST(ReservedNames, CoverEveryPageOfTheDashboard) {
  std::ifstream file(kDashboardRoutes);
  std::stringstream text;
  text << file.rdbuf();
  constexpr std::string_view kCall = "page('";
  std::size_t pages = 0;
  std::string routes = text.str();
  for (std::size_t at = routes.find(kCall); at != std::string::npos;
       at = routes.find(kCall, at + 1)) {
    std::string_view path = std::string_view(routes).substr(at + kCall.size());
    path = path.substr(0, path.find('\''));
    EXPECT_TRUE(IsReservedName(FirstOf(path))) << "add this page to the list: " << path;
    ++pages;
  }
  EXPECT_GT(pages, 10U);
}

TEST(ReservedNames, AreRefusedToProjects) {
  Harness h;
  for (std::string_view name : {"workloads", "queue", "api", "assets", "v1", "metrics"}) {
    Response r = h.Admin().Post("/api/v1/org-unit/projects",
                                fmt::format(R"({{"name":"{}","clusterId":"{}","resources":[]}})",
                                            name, FormatUuid(h.cluster().value)));
    EXPECT_EQ(r.status, 400) << name;
    EXPECT_TRUE(r.body.contains("choose another name")) << r.body;
  }
}

}  // namespace
}  // namespace yard::api

// What is out of reach must not show through something within it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Caller;
using testing::Harness;
using testing::Response;

class Leaks : public ::testing::Test {
 protected:
  static std::string Text(const json::value& value) {
    return std::string(std::string_view(value.as_string()));
  }
  std::string MakeAsset(std::string path, std::string_view meta, std::string_view spec) {
    std::string body =
        fmt::format(R"({{"meta":{{"name":"secret-thing",{}}},"spec":{}}})", meta, spec);
    Response made = h_.Admin().Post(std::move(path), body);
    EXPECT_LT(made.status, 300) << made.body;
    return Text(made.Json().at("meta").at("id"));
  }
  static std::string At(ProjectId project) {
    return fmt::format(R"("scope":"project","projectId":{})", project.value);
  }

  Harness h_;
  ProjectId mine_ = h_.MakeProject("mine");
  ProjectId theirs_ = h_.MakeProject("theirs", h_.MakeDepartment("other"));
};

TEST_F(Leaks, APolicyImposesOnlyWhatIsUsableInItsScope) {
  h_.Grant("ann@lab.org", "Department administrator", Scope::Of(mine_));
  constexpr std::string_view kSpec = R"({"server":"nas","path":"/p","mountPath":"/m"})";
  std::string hidden = MakeAsset("/api/v1/asset/datasource/nfs", At(theirs_), kSpec);
  std::string own = MakeAsset("/api/v1/asset/datasource/nfs", At(mine_), kSpec);
  auto impose = [&](std::string_view id) {
    return h_.As("ann@lab.org")
        .Put("/api/v2/policy/workspaces",
             fmt::format(R"({{"meta":{{"name":"p",{}}},"policy":{{"imposedAssets":["{}"]}}}})",
                         At(mine_), id));
  };
  Response refused = impose(hidden);
  EXPECT_EQ(refused.status, 400) << refused.body;
  EXPECT_FALSE(refused.body.contains("nas"));
  EXPECT_EQ(impose(own).status, 200);
}

TEST_F(Leaks, ComplianceIsToldOnlyOfProjectsWithinReach) {
  h_.Grant("ann@lab.org", "L1 researcher", Scope::Of(mine_));
  auto ask = [&](ProjectId project) {
    return h_.As("ann@lab.org")
        .Get(fmt::format("/api/v1/asset/compute?complyToProject={}&complyToWorkloadType=Workspace",
                         project.value))
        .status;
  };
  EXPECT_EQ(ask(mine_), 200);
  EXPECT_EQ(ask(theirs_), 403);
}

TEST_F(Leaks, UsageNamesOnlyWhatTheCallerMaySee) {
  h_.Grant("ann@lab.org", "L1 researcher", Scope::Of(mine_));
  std::string shared = MakeAsset("/api/v1/asset/environment", R"("scope":"tenant")", "{}");
  std::string spec = fmt::format(R"({{"assets":{{"environment":"{}"}}}})", shared);
  std::string hidden = MakeAsset("/api/v1/asset/workload-template", At(theirs_), spec);
  std::string path = "/api/v1/asset/environment/" + shared + "?usageInfo=true";
  EXPECT_TRUE(h_.Admin().Get(path).body.contains(hidden));
  Response seen = h_.As("ann@lab.org").Get(path);
  EXPECT_EQ(seen.status, 200);
  EXPECT_FALSE(seen.body.contains(hidden)) << seen.body;
}

TEST_F(Leaks, AnApplicationOfSomebodyWithMoreRightsStays) {
  h_.Grant("ann@lab.org", "System administrator", Scope::Of(mine_));
  Response made = h_.Admin().Post("/api/v1/user-applications", R"({"name":"backup"})");
  ASSERT_EQ(made.status, 201) << made.body;
  std::string one = "/api/v1/administration/user-applications/" + Text(made.Json().at("id"));
  EXPECT_EQ(h_.As("ann@lab.org").Delete(one).status, 403);
  EXPECT_EQ(h_.Admin().Delete(one).status, 204);
}

}  // namespace
}  // namespace yard::api

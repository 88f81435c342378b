#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using ::testing::HasSubstr;
using testing::Response;

class HostAccessRoutes : public ::testing::Test {
 protected:
  std::string List(const std::string& scope = "project") const {
    return fmt::format("/api/v1/host-access/{}/{}", scope, project_.value);
  }
  Response Submit(std::string_view email, std::string_view spec) {
    std::string cluster = FormatUuid(h_.state()->Find<Project>(project_)->cluster.value);
    return h_.As(email).Post("/api/v1/workloads/trainings",
                             fmt::format(R"({{"name":"job{}","projectId":"{}","clusterId":"{}",)"
                                         R"("spec":{}}})",
                                         ++count_, project_.value, cluster, spec));
  }

  Harness h_;
  ProjectId project_ = h_.MakeProject("vision");
  int count_ = 0;
};

constexpr const char* kMount =
    R"({"image":"a","storage":{"hostPath":[{"path":"/data/x","mountPath":"/in"}]}})";

TEST_F(HostAccessRoutes, WorkIsRefusedUntilItIsListed) {
  h_.Grant("ann@lab.org", "L2 researcher", Scope::Of(project_));
  Response refused = Submit("ann@lab.org", kMount);
  ASSERT_EQ(refused.status, 403) << refused.body;
  EXPECT_THAT(refused.body, HasSubstr("spec.storage.hostPath[0].path"));
  EXPECT_THAT(refused.body, HasSubstr("gpuyard host-access allow --project vision"));
  Response listed = h_.Admin().Put(List(), R"({"paths":[{"path":"/data"}]})");
  ASSERT_EQ(listed.status, 200) << listed.body;
  EXPECT_EQ(listed.Json().at("scopeType"), "project");
  EXPECT_EQ(Submit("ann@lab.org", kMount).status, 200);
  Response all = h_.Admin().Get("/api/v1/host-access");
  EXPECT_EQ(all.Json().at("lists").as_array().size(), 1U) << all.body;
  EXPECT_EQ(h_.Admin().Delete(List()).status, 204);
  EXPECT_EQ(Submit("ann@lab.org", kMount).status, 403);
}

TEST_F(HostAccessRoutes, VolumesAreBoundToFoldersAndServers) {
  auto list = [&](std::string_view source) {
    return h_.Admin()
        .Put(List(), fmt::format(R"({{"claims":[{{"name":"data","source":"{}"}}]}})", source))
        .status;
  };
  for (const char* good : {"/srv/data", "nas:/export/data"}) EXPECT_EQ(list(good), 200) << good;
  for (const char* bad : {"/etc", "/", "srv", "nas:/a/../b", "-o:/x", ""})
    EXPECT_EQ(list(bad), 400) << bad;
}

TEST_F(HostAccessRoutes, OnlyThoseWhoMayChangeSettingsList) {
  h_.Grant("dora@lab.org", "Department administrator");
  h_.Grant("edda@lab.org", "Editor");
  for (const char* email : {"dora@lab.org", "edda@lab.org"}) {
    EXPECT_EQ(h_.As(email).Put(List(), R"({"hostNetwork":true})").status, 403) << email;
    EXPECT_EQ(h_.As(email).Get("/api/v1/host-access").status, 403) << email;
  }
}

TEST_F(HostAccessRoutes, NoListOpensTheSystem) {
  Response bad = h_.Admin().Put(List(), R"({"paths":[{"path":"/etc"}],"capabilities":["X"]})");
  EXPECT_EQ(bad.status, 400) << bad.body;
  EXPECT_THAT(bad.body, HasSubstr("paths[0].path"));
  EXPECT_EQ(h_.Admin().Put(List("planet"), "{}").status, 404);
  EXPECT_EQ(h_.Admin().Put("/api/v1/host-access/project/999", "{}").status, 404);
  Response aside = h_.Admin().Put("/v1/k8s/setting",
                                  R"({"key":"host-access/tenant/","value":{"hostIpc":true}})");
  EXPECT_EQ(aside.status, 400) << aside.body;
}

}  // namespace
}  // namespace yard::api

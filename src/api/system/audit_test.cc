#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

constexpr const char* kWeek = "?start=2026-05-20T00:00:00Z&end=2026-06-20T00:00:00Z";

TEST(AuditLog, EveryChangeHasAnActorATargetAndAResult) {
  Harness h;
  ASSERT_EQ(h.Admin().Post("/api/v1/apps", R"({"name":"robot"})").status, 201);
  Response r =
      h.Admin().Get(std::string("/api/v1/audit/log") + kWeek + "&filterBy=entity_name==robot");
  ASSERT_EQ(r.status, 200) << r.body;
  json::value log = r.Json().at("audit_logs").at(0);
  EXPECT_EQ(log.at("subject").as_string(), testing::kAdmin);
  EXPECT_EQ(log.at("action").as_string(), "create");
  EXPECT_EQ(log.at("entity_type").as_string(), "application");
  EXPECT_EQ(log.at("url").as_string(), "/api/v1/apps");
  EXPECT_EQ(log.at("result").as_string(), "Succeeded");
  EXPECT_EQ(r.Json().at("total").as_int64(), 1);
}

TEST(AuditLog, ItTellsWhatWasAnswered) {
  Harness h;
  h.Admin().Post("/api/v1/apps", R"({"name":"robot"})");
  Response r = h.Admin().Get(std::string("/api/v1/audit/log") + kWeek +
                             "&filterBy=entity_type==application,entity_name==robot");
  EXPECT_EQ(r.Json().at("audit_logs").at(0).at("http_status_code").as_int64(), 201) << r.body;
}

TEST(AuditLog, TheServersBookkeepingIsNotShown) {
  Harness h;
  h.MakeProject("vision");
  h.Grant("ann@lab.org", "L1 researcher");
  json::value answer =
      h.Admin().Get(std::string("/api/v1/audit/log") + kWeek + "&limit=500").Json();
  EXPECT_FALSE(answer.at("audit_logs").as_array().empty());
  for (const json::value& log : answer.at("audit_logs").as_array()) {
    EXPECT_NE(log.at("entity_type").as_string(), "counter");
  }
}

// Passwords in URLs and values of variables come in with work and assets; the record of the change
// and every list keep them.
TEST(AuditLog, NeitherTheRecordNorListsShowCredentialsOfUrlsOrValuesOfVariables) {
  Harness h;
  ProjectId project = h.MakeProject("vision");
  Response asset =
      h.Admin().Post("/api/v1/asset/datasource/git",
                     R"({"meta":{"name":"code","scope":"tenant"},)"
                     R"("spec":{"repository":"https://ann:hunter2@host/a.git","path":"/code"}})");
  ASSERT_LT(asset.status, 300) << asset.body;
  Response work = h.Admin().Post(
      "/api/v1/workloads/trainings",
      fmt::format(
          R"({{"name":"t","projectId":"{}","clusterId":"{}","spec":{{"environmentVariables":)"
          R"([{{"name":"API_KEY","value":"hunter3"}}],"storage":{{"git":[{{"name":"g",)"
          R"("repository":"https://ann:hunter2@host/a.git","path":"/g"}}]}}}}}})",
          project.value, FormatUuid(h.cluster().value)));
  ASSERT_EQ(work.status, 200) << work.body;
  std::string audit = std::string("/api/v1/audit/log") + kWeek + "&limit=500";
  for (std::string target :
       {audit, std::string("/api/v1/audit/log/file") + kWeek,
        std::string("/api/v1/asset/datasource"), std::string("/api/v1/asset/datasource/git"),
        std::string("/api/v1/workloads")}) {
    EXPECT_FALSE(h.Admin().Get(target).body.contains("hunter2")) << target;
  }
  EXPECT_FALSE(asset.body.contains("hunter2"));
  EXPECT_FALSE(work.body.contains("hunter2"));
  std::string log = h.Admin().Get(audit).body;
  EXPECT_TRUE(log.contains("API_KEY"));
  EXPECT_FALSE(log.contains("hunter3"));
}

TEST(AuditLog, AUrlThatWasReadMaskedCanBeSentBackAndKeepsItsCredentials) {
  Harness h;
  auto body = [](std::string_view url, std::string_view branch) {
    return fmt::format(R"({{"meta":{{"name":"code","scope":"tenant"}},"spec":{{"repository":"{}",)"
                       R"("branch":"{}","path":"/code"}}}})",
                       url, branch);
  };
  Response made = h.Admin().Post("/api/v1/asset/datasource/git",
                                 body("https://ann:hunter2@host/a.git", "main"));
  std::string id(made.Json().at("meta").at("id").as_string());
  std::string one = "/api/v1/asset/datasource/git/" + id;
  ASSERT_LT(h.Admin().Put(one, body("https://***@host/a.git", "next")).status, 300);
  Ptr<Asset> asset = h.state()->Find<Asset>(AssetId{*ParseUuid(id)});
  EXPECT_TRUE(asset->spec.json.contains("https://ann:hunter2@host/a.git")) << asset->spec.json;
  EXPECT_TRUE(asset->spec.json.contains("next"));
  EXPECT_EQ(h.Admin().Put(one, body("https://***@elsewhere/a.git", "x")).status, 400);
}

TEST(AuditLog, ItCanBeHadAsAFile) {
  Harness h;
  std::string file = std::string("/api/v1/audit/log/file") + kWeek;
  Response csv = h.Admin().Get(file);
  EXPECT_EQ(csv.status, 200);
  EXPECT_TRUE(csv.body.starts_with("timestamp,subject,")) << csv.body.substr(0, 80);
  EXPECT_TRUE(h.Admin().Get(file + "&file_type=JSON").Json().is_array());
  EXPECT_TRUE(h.Admin().Get(file + "&fileType=JSON").Json().is_array());
  EXPECT_EQ(h.Admin().Get(file + "&file_type=PDF").status, 400);
}

TEST(AuditLog, OnlyThoseWhoMaySeeTheWholeHistoryReadIt) {
  Harness h;
  h.Grant("ann@lab.org", "System administrator", Scope::Of(h.MakeProject("vision")));
  EXPECT_EQ(h.As("ann@lab.org").Get(std::string("/api/v1/audit/log") + kWeek).status, 403);
  EXPECT_EQ(h.Admin().Get("/api/v1/audit/log").status, 400);
}

}  // namespace
}  // namespace yard::api

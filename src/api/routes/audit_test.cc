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

TEST(AuditLog, ItCanBeHadAsAFile) {
  Harness h;
  std::string file = std::string("/api/v1/audit/log/file") + kWeek;
  Response csv = h.Admin().Get(file);
  EXPECT_EQ(csv.status, 200);
  EXPECT_TRUE(csv.body.starts_with("timestamp,subject,")) << csv.body.substr(0, 80);
  EXPECT_TRUE(h.Admin().Get(file + "&file_type=JSON").Json().is_array());
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

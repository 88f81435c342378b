#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

class OrgUnits : public ::testing::Test {
 protected:
  Response Put(std::string_view field, std::string_view value) {
    return h_.Admin().Put(
        fmt::format("/api/v1/org-unit/projects/{}", project_.value),
        fmt::format(R"({{"resources":[],"description":"new","{}":"{}"}})", field, value));
  }

  Harness h_;
  ProjectId project_ = h_.MakeProject("vision");
  DepartmentId other_ = h_.MakeDepartment("physics");
};

TEST_F(OrgUnits, AProjectIsNotMovedSilently) {
  Response r = Put("parentId", std::to_string(other_.value));
  EXPECT_EQ(r.status, 400) << r.body;
  EXPECT_TRUE(r.body.contains("parentId") && r.body.contains("cannot be moved")) << r.body;
  EXPECT_EQ(Put("clusterId", "00000000-0000-4000-8000-000000000001").status, 400);
  EXPECT_EQ(Put("name", "speech").status, 400);
  EXPECT_EQ(h_.state()->Find<Project>(project_)->description, "") << "nothing is half-applied";
}

TEST_F(OrgUnits, AQuotaThatNoHardwareStandsBehindIsNamed) {
  NodePoolId pool;
  h_.state()->Of<NodePool>().Each([&](const NodePool& one) { pool = one.id; });
  auto quota = [&](std::string_view kind, std::int64_t id, int gpus) {
    return h_.Admin().Put(
        fmt::format("/api/v1/org-unit/{}/{}", kind, id),
        fmt::format(R"({{"resources":[{{"nodePool":{{"id":"{}","name":"default"}},)"
                    R"("gpu":{{"deserved":{},"limit":null,"overQuotaWeight":2}},)"
                    R"("cpu":{{}},"memory":{{"units":"Mib"}}}}]}})",
                    pool.value, gpus));
  };
  auto said = [&](std::string_view kind, std::int64_t id) {
    Response r = h_.Admin().Get(fmt::format("/api/v1/org-unit/{}/{}", kind, id));
    json::value unit = r.Json();
    const json::value& text = unit.at("status").at("phaseMessage");
    return text.is_null() ? std::string() : std::string(std::string_view(text.get_string()));
  };
  EXPECT_EQ(said("projects", project_.value), "");
  Response promised = quota("projects", project_.value, 3);
  ASSERT_EQ(promised.status, 200) << promised.body;
  EXPECT_EQ(said("projects", project_.value),
            "Quotas promise 3 GPU of pool default, which has 0. Lower a quota or add a node.");
  EXPECT_EQ(said("departments", other_.value), "") << "nothing is promised to it";
  ASSERT_EQ(quota("departments", other_.value, 2).status, 200);
  EXPECT_TRUE(said("departments", other_.value).contains("promise 5 GPU"));
}

TEST_F(OrgUnits, WhatWasReadCanBeSentBack) {
  Ptr<Project> project = h_.state()->Find<Project>(project_);
  EXPECT_EQ(Put("parentId", std::to_string(project->department.value)).status, 200);
  EXPECT_EQ(Put("clusterId", FormatUuid(project->cluster.value)).status, 200);
  EXPECT_EQ(Put("name", "vision").status, 200);
}

TEST_F(OrgUnits, ADepartmentsFairnessStaysUnlessItIsSaid) {
  std::string path = fmt::format("/api/v1/org-unit/departments/{}", other_.value);
  auto put = [&](std::string_view more) {
    return h_.Admin().Put(path, fmt::format(R"({{"resources":[]{}}})", more));
  };
  EXPECT_TRUE(h_.Admin().Get(path).Json().at("fairness").is_null());
  EXPECT_EQ(put(R"(,"fairness":"nth-gpu")").Json().at("fairness"), "nth-gpu");
  EXPECT_EQ(put("").Json().at("fairness"), "nth-gpu") << "clients of Run:ai do not send it";
  EXPECT_TRUE(put(R"(,"fairness":null)").Json().at("fairness").is_null());
  Response bad = put(R"(,"fairness":"fair")");
  EXPECT_EQ(bad.status, 400);
  EXPECT_TRUE(bad.body.contains("fair-share") && bad.body.contains("nth-gpu")) << bad.body;
}

TEST_F(OrgUnits, AGuardStaysUnlessItIsSaid) {
  std::string path = fmt::format("/api/v1/org-unit/projects/{}", project_.value);
  auto put = [&](std::string_view more) {
    return h_.Admin().Put(path, fmt::format(R"({{"resources":[]{}}})", more));
  };
  constexpr const char* kGuard = "reclaimMinRuntimeSeconds";
  EXPECT_TRUE(h_.Admin().Get(path).Json().at(kGuard).is_null());
  EXPECT_EQ(put(R"(,"reclaimMinRuntimeSeconds":600)").Json().at(kGuard), 600);
  EXPECT_EQ(put(R"(,"preemptMinRuntimeSeconds":0)").Json().at(kGuard), 600);
  EXPECT_EQ(h_.Admin().Get(path).Json().at("preemptMinRuntimeSeconds"), 0);
  EXPECT_TRUE(put(R"(,"reclaimMinRuntimeSeconds":null)").Json().at(kGuard).is_null());
  EXPECT_EQ(put(R"(,"reclaimMinRuntimeSeconds":-1)").status, 400);
  std::string department = fmt::format("/api/v1/org-unit/departments/{}", other_.value);
  Response saved = h_.Admin().Put(department, R"({"resources":[],"preemptMinRuntimeSeconds":60})");
  EXPECT_EQ(saved.Json().at("preemptMinRuntimeSeconds"), 60) << saved.body;
}

TEST_F(OrgUnits, ThePriorityOfAQuotaIsANameOrANumber) {
  std::string path = fmt::format("/api/v1/org-unit/projects/{}", project_.value);
  auto put = [&](std::string_view priority) {
    return h_.Admin().Put(
        path, fmt::format(R"({{"resources":[{{"nodePool":{{"id":"{}"}},"gpu":{{"deserved":1}},)"
                          R"("priority":{}}}]}})",
                          h_.pool().value, priority));
  };
  Response high = put(R"("High")");
  ASSERT_EQ(high.status, 200) << high.body;
  EXPECT_EQ(high.Json().at("resources").at(0).at("priority"), "High");
  EXPECT_EQ(put(R"("650")").status, 200);
  EXPECT_EQ(put("null").status, 200);
  Response bad = put(R"("urgent")");
  EXPECT_EQ(bad.status, 400);
  EXPECT_TRUE(bad.body.contains("VeryHigh") && bad.body.contains("urgent")) << bad.body;
}

TEST_F(OrgUnits, ADepartmentStaysInItsCluster) {
  std::string path = fmt::format("/api/v1/org-unit/departments/{}", other_.value);
  auto put = [&](std::string_view more) {
    return h_.Admin().Put(path, fmt::format(R"({{"resources":[],{}}})", more)).status;
  };
  EXPECT_EQ(put(R"("clusterId":"00000000-0000-4000-8000-000000000001")"), 400);
  EXPECT_EQ(put(R"("parentId":"1")"), 400);
  EXPECT_EQ(put(R"("name":"physics")"), 200);
}

}  // namespace
}  // namespace yard::api

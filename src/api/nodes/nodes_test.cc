#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

std::string Pool(const Harness& h, std::string_view name, std::string_view key,
                 std::string_view value) {
  return fmt::format(R"({{"name":"{}","labelKey":"{}","labelValue":"{}","clusterId":"{}"}})", name,
                     key, value, FormatUuid(h.cluster().value));
}

std::string Text(const json::value& value) {
  return std::string(std::string_view(value.as_string()));
}

std::string IdOf(const Response& response) {
  return Text(response.Json().at("id"));
}

constexpr std::string_view kNode =
    R"({"name":"n1","labels":{"gpu":"h200","zone":"b"},"gpuType":"NVIDIA-H200","gpuCount":8,
        "gpuMemory":"141G","cpuCores":64,"memory":"1Ti","status":"Ready"})";

TEST(Clusters, OnlyTheServersOwnOneIsConnected) {
  Harness h;
  std::string own = FormatUuid(h.cluster().value);
  EXPECT_EQ(h.Admin().Post("/api/v1/clusters", R"({"name":"far"})").status, 201);
  EXPECT_EQ(h.Admin().Post("/api/v1/clusters", R"({"name":"far"})").status, 409);
  const json::value list = h.Admin().Get("/api/v1/clusters").Json();
  ASSERT_EQ(list.as_array().size(), 2U);
  for (const json::value& cluster : list.as_array()) {
    bool local = cluster.at("uuid") == json::value(own);
    EXPECT_EQ(cluster.at("status").at("state"), local ? "Connected" : "WaitingToConnect");
  }
}

TEST(Clusters, CanBeRenamedAndDeletedExceptTheServersOwn) {
  Harness h;
  std::string own = FormatUuid(h.cluster().value);
  std::string far = Text(h.Admin().Post("/api/v1/clusters", R"({"name":"far"})").Json().at("uuid"));
  EXPECT_EQ(h.Admin().Put("/api/v1/clusters/" + far, R"({"name":"near"})").status, 204);
  EXPECT_EQ(h.Admin().Get("/api/v1/clusters/" + far).Json().at("name"), "near");
  EXPECT_EQ(h.Admin().Delete("/api/v1/clusters/" + far).status, 204);
  EXPECT_EQ(h.Admin().Get("/api/v1/clusters/" + far).status, 404);
  EXPECT_EQ(h.Admin().Delete("/api/v1/clusters/" + own).status, 409);
}

TEST(NodePools, ANewPoolJoinsEveryProjectWithoutGpuQuota) {
  Harness h;
  ProjectId project = h.MakeProject("vision");
  Response made = h.Admin().Post("/api/v1/node-pools", Pool(h, "big", "gpu", "h200"));
  ASSERT_EQ(made.status, 201) << made.body;
  const Project& joined = *h.state()->Find<Project>(project);
  ASSERT_FALSE(joined.resources.empty());
  const PoolQuota& quota = joined.resources.back();
  EXPECT_EQ(std::to_string(quota.pool.value), IdOf(made));
  EXPECT_EQ(quota.gpu.deserved, MilliGpu{0});
  EXPECT_EQ(quota.cpu.deserved, std::nullopt);
  EXPECT_EQ(quota.gpu.over_quota_weight_milli, std::nullopt);
  EXPECT_EQ(h.Admin().Delete("/api/v1/node-pools/" + IdOf(made)).status, 204);
  for (const PoolQuota& left : h.state()->Find<Project>(project)->resources) {
    EXPECT_NE(std::to_string(left.pool.value), IdOf(made));
  }
}

TEST(NodePools, NamesAreUniqueAndWithoutUnderscore) {
  Harness h;
  EXPECT_EQ(h.Admin().Post("/api/v1/node-pools", Pool(h, "a_b", "k", "v")).status, 400);
  EXPECT_EQ(h.Admin().Post("/api/v1/node-pools", Pool(h, "ab", "k", "v")).status, 201);
  EXPECT_EQ(h.Admin().Post("/api/v1/node-pools", Pool(h, "ab", "k", "w")).status, 409);
  EXPECT_EQ(h.Admin().Post("/api/v1/node-pools", Pool(h, "cd", "k", "v")).status, 409);
  EXPECT_EQ(h.Admin().Get("/api/v1/node-pools/count").Json().at("count"), 2);
  Response found = h.Admin().Get("/api/v1/node-pools?filterBy=name==ab");
  EXPECT_EQ(found.Json().at("nodepools").as_array().size(), 1U);
}

TEST(NodePools, TheDefaultOneCannotBeDeleted) {
  Harness h;
  Response refused = h.Admin().Delete(fmt::format("/api/v1/node-pools/{}", h.pool().value));
  EXPECT_EQ(refused.status, 409) << refused.body;
}

TEST(NodePools, NodesFollowTheirLabel) {
  Harness h;
  Response node = h.Admin().Post("/api/v1/nodes", std::string(kNode));
  ASSERT_EQ(node.status, 201) << node.body;
  EXPECT_EQ(node.Json().at("nodePool"), "default");
  std::string pool = IdOf(h.Admin().Post("/api/v1/node-pools", Pool(h, "big", "gpu", "h200")));
  std::string path = "/api/v1/nodes/" + IdOf(node);
  EXPECT_EQ(h.Admin().Get(path).Json().at("nodePool"), "big");
  Response shown = h.Admin().Get("/api/v1/node-pools/" + pool);
  EXPECT_EQ(shown.Json().at("phase"), "Ready");
  EXPECT_EQ(shown.Json().at("status").at("nodes").at(0), "n1");
  h.Admin().Patch("/api/v1/node-pools/" + pool, R"({"labelValue":"a100"})");
  EXPECT_EQ(h.Admin().Get(path).Json().at("nodePool"), "default");
}

TEST(NodePools, TwoPoolsMustNotMatchOneNode) {
  Harness h;
  h.Admin().Post("/api/v1/nodes", std::string(kNode));
  EXPECT_EQ(h.Admin().Post("/api/v1/node-pools", Pool(h, "big", "gpu", "h200")).status, 201);
  Response refused = h.Admin().Post("/api/v1/node-pools", Pool(h, "zone", "zone", "b"));
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("node 'n1'"), std::string::npos) << refused.body;
  EXPECT_EQ(h.state()->Of<NodePool>().size(), 2U);
}

TEST(Nodes, AreAlwaysMarkedAsDeclared) {
  Harness h;
  Response made = h.Admin().Post("/api/v1/nodes", std::string(kNode));
  EXPECT_EQ(made.Json().at("declared"), true);
  EXPECT_EQ(made.Json().at("conditions").at(0).at("type"), "Declared");
  EXPECT_EQ(made.Json().at("gpuInfo").at("gpuCount"), 8);
  Response list = h.Admin().Get(
      fmt::format("/api/v1/clusters/{}/nodes?nodeName=n1", FormatUuid(h.cluster().value)));
  EXPECT_EQ(list.Json().at("nodes").as_array().size(), 1U) << list.body;
  EXPECT_EQ(h.Admin().Post("/api/v1/nodes", std::string(kNode)).status, 409);
  std::string path = "/api/v1/nodes/" + IdOf(made);
  EXPECT_EQ(h.Admin().Put(path, R"({"gpuCount":4,"gpuType":"T"})").Json().at("status"), "Unknown");
  EXPECT_EQ(h.Admin().Delete(path).status, 204);
  EXPECT_EQ(h.Admin().Get("/api/v1/nodes").Json().at("nodes").as_array().size(), 0U);
}

TEST(Nodes, LabelsChangeAloneAndMoveTheNodeToItsPool) {
  Harness h;
  Response made = h.Admin().Post("/api/v1/nodes", std::string(kNode));
  h.Admin().Post("/api/v1/node-pools", Pool(h, "prod", "pool", "prod"));
  std::string path = "/api/v1/nodes/" + IdOf(made);
  json::value before = h.Admin().Get(path).Json();
  Response labelled =
      h.Admin().Post(path + "/labels", R"({"set":{"pool":"prod"},"remove":["gpu"]})");
  ASSERT_EQ(labelled.status, 200) << labelled.body;
  json::value after = labelled.Json();
  EXPECT_EQ(after.at("nodePool"), "prod");
  EXPECT_EQ(after.at("labels").at("pool"), "prod");
  EXPECT_FALSE(after.at("labels").as_object().contains("gpu"));
  EXPECT_EQ(after.at("status"), before.at("status"));
  EXPECT_EQ(after.at("gpuInfo"), before.at("gpuInfo"));
  EXPECT_EQ(h.Admin().Post(path + "/labels", R"({"set":{"a b":"c"}})").status, 400);
  h.Grant("ann@lab.org", "Department administrator");
  EXPECT_EQ(h.As("ann@lab.org").Post(path + "/labels", R"({"set":{"a":"b"}})").status, 403);
}

TEST(Nodes, MayBeDeclaredOnlyByWhoMayChangeTheCluster) {
  Harness h;
  h.Grant("ann@lab.org", "Department administrator");
  EXPECT_EQ(h.As("ann@lab.org").Post("/api/v1/nodes", std::string(kNode)).status, 403);
  EXPECT_EQ(h.As("ann@lab.org").Get("/api/v1/nodes").status, 200);
}

TEST(Measurements, HoldWhatTheStateKnowsAndNothingElse) {
  Harness h;
  h.Admin().Post("/api/v1/nodes", std::string(kNode));
  std::string period = fmt::format("start={}&end={}", FormatRfc3339(h.clock().Now()),
                                   FormatRfc3339(h.clock().Now() + Seconds(1)));
  Response got = h.Admin().Get(
      fmt::format("/api/v1/clusters/{}/metrics?{}&metricType=TOTAL_GPU,GPU_UTILIZATION",
                  FormatUuid(h.cluster().value), period));
  ASSERT_EQ(got.status, 200) << got.body;
  const json::value measurements = got.Json().at("measurements");
  EXPECT_EQ(measurements.at(0).at("values").at(0).at("value"), "8");
  EXPECT_EQ(measurements.at(1).at("values").as_array().size(), 0U);
  Response refused = h.Admin().Get(fmt::format("/api/v1/clusters/{}/metrics?{}&metricType=X",
                                               FormatUuid(h.cluster().value), period));
  EXPECT_EQ(refused.status, 400);
}

TEST(Telemetry, GroupsPresentNumbers) {
  Harness h;
  h.Admin().Post("/api/v1/nodes", std::string(kNode));
  h.Admin().Post("/api/v1/nodes", R"({"name":"n2","gpuType":"T","gpuCount":2})");
  Response all = h.Admin().Get("/api/v1/nodes/telemetry?telemetryType=TOTAL_GPUS");
  EXPECT_EQ(all.Json().at("values").at(0).at("value"), "10") << all.body;
  Response ready = h.Admin().Get("/api/v1/nodes/telemetry?telemetryType=READY_GPUS&groupBy=Node");
  EXPECT_EQ(ready.Json().at("values").at(0).at("value"), "8") << ready.body;
  EXPECT_EQ(ready.Json().at("values").at(1).at("value"), "0");
  Response used = h.Admin().Get("/api/v1/nodes/telemetry?telemetryType=USED_CPU_CORES");
  EXPECT_EQ(used.Json().at("values").as_array().size(), 0U);
}

TEST(Settings, AreSavedAndRead) {
  Harness h;
  EXPECT_EQ(h.Admin().Get("/v1/k8s/setting/dark").body, "false");
  EXPECT_EQ(h.Admin().Put("/v1/k8s/setting", R"({"key":"dark","value":true})").status, 200);
  EXPECT_EQ(h.Admin().Get("/v1/k8s/setting/dark").body, "true");
  EXPECT_EQ(h.Admin().Get("/v1/k8s/setting").Json().at(0).at("value"), "true");
  EXPECT_EQ(h.Admin().Get("/api/v1/logo").status, 204);
  EXPECT_EQ(h.Admin().Post("/api/v1/logo", R"({"logo":"aGk="})").status, 200);
  EXPECT_EQ(h.Admin().Get("/api/v1/logo").Json().at("logo"), "aGk=");
}

}  // namespace
}  // namespace yard::api

// Work that is submitted with the names of assets.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

constexpr std::string_view kEnvironment =
    R"({"image":"lab:1","command":"jupyter lab","runAsUid":1000,"uidGidSource":"custom",
        "environmentVariables":[{"name":"A","value":"asset"},{"name":"B","value":"asset"}],
        "connections":[{"name":"Notebook","internalToolInfo":{"toolType":"jupyter-notebook",
          "connectionType":"ExternalUrl","containerPort":8888}}]})";

class WorkFromAssets : public ::testing::Test {
 protected:
  // The id of a new asset of the whole site, or of one project.
  std::string Make(std::string_view path, std::string_view name, std::string_view spec,
                   std::string_view scope = R"("scope":"tenant")") {
    Response made = harness_.Admin().Post(
        fmt::format("/api/v1/asset/{}", path),
        fmt::format(R"({{"meta":{{"name":"{}",{}}},"spec":{}}})", name, scope, spec));
    EXPECT_EQ(made.status, 202) << made.body;
    return std::string(std::string_view(made.Json().at("meta").at("id").as_string()));
  }
  void MakeLab() {
    std::string environment = Make("environment", "lab", kEnvironment);
    std::string compute =
        Make("compute", "half",
             R"({"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":0.5,
            "cpuCoreRequest":4})");
    std::string home =
        Make("datasource/nfs", "home", R"({"server":"s","path":"/p","mountPath":"/home"})");
    Make("workload-template", "ready",
         fmt::format(R"({{"assets":{{"environment":"{}","compute":"{}","datasources":[
                           {{"id":"{}","kind":"nfs","overrides":{{"containerPath":"/work"}}}}]}},
                         "specificEnv":{{"nodeType":"a100"}}}})",
                     environment, compute, home));
  }
  Response Submit(std::string_view spec, std::string_view name = "w",
                  std::string_view who = "ann@lab.org") {
    return harness_.As(std::string(who))
        .Post("/api/v1/workloads/workspaces",
              fmt::format(R"({{"name":"{}","projectId":"{}","clusterId":"{}","spec":{}}})", name,
                          project_.value, FormatUuid(harness_.cluster().value), spec));
  }
  void SetUp() override {
    harness_.Grant("ann@lab.org", "L1 researcher", Scope::Of(project_));
    MakeLab();
  }

  Harness harness_;
  ProjectId project_ = harness_.MakeProject("vision");
};

TEST_F(WorkFromAssets, HasEverythingThatItsTemplateSays) {
  Response made = Submit(R"({"assets":{"template":"ready"}})");
  ASSERT_EQ(made.status, 200) << made.body;
  const json::value spec = made.Json().at("spec");
  EXPECT_EQ(spec.at("image"), "lab:1");
  EXPECT_EQ(spec.at("command"), "jupyter lab");
  EXPECT_EQ(spec.at("nodeType"), "a100");
  EXPECT_EQ(spec.at("security").at("runAsUid"), 1000);
  EXPECT_EQ(spec.at("compute").at("gpuPortionRequest"), 0.5);
  EXPECT_EQ(spec.at("exposedUrls").at(0).at("container"), 8888);
  EXPECT_EQ(spec.at("storage").at("nfs").at(0).at("mountPath"), "/work");
}

TEST_F(WorkFromAssets, KeepsWhatTheSubmissionSaysItself) {
  Response made = Submit(
      R"({"assets":{"environment":"lab","compute":"half"},"image":"own:2","command":"train",
          "compute":{"gpuDevicesRequest":2},"environmentVariables":[{"name":"A","value":"own"}]})");
  ASSERT_EQ(made.status, 200) << made.body;
  const json::value spec = made.Json().at("spec");
  EXPECT_EQ(spec.at("image"), "own:2");
  EXPECT_EQ(spec.at("command"), "train");
  EXPECT_EQ(spec.at("compute").at("gpuDevicesRequest"), 2);
  EXPECT_EQ(spec.at("compute").as_object().contains("gpuPortionRequest"), false);
  EXPECT_EQ(spec.at("compute").at("cpuCoreRequest"), 4);
  const json::array& variables = spec.at("environmentVariables").as_array();
  ASSERT_EQ(variables.size(), 2U);
  EXPECT_EQ(variables[0].at("value"), "own");
}

TEST_F(WorkFromAssets, IsListedWithThem) {
  Response made = Submit(R"({"assets":{"template":"ready"}})");
  ASSERT_EQ(made.status, 200) << made.body;
  std::string id(std::string_view(made.Json().at("workloadId").as_string()));
  const json::value listed = harness_.As("ann@lab.org").Get("/api/v1/workloads/" + id).Json();
  EXPECT_EQ(listed.at("environments").at(0).at("name"), "lab");
  EXPECT_EQ(listed.at("datasources").at(0).at("name"), "home");
  EXPECT_EQ(listed.at("datasources").at(0).at("type"), "nfs");
}

TEST_F(WorkFromAssets, CanBeSubmittedAgainFromItsSpecAfterAnAssetHasGone) {
  Response made = Submit(R"({"assets":{"environment":"lab"}})");
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string spec = json::serialize(made.Json().at("spec"));
  Response other = Submit(R"({"assets":{"environment":"gone"}})", "other");
  EXPECT_EQ(other.status, 404) << other.body;
  EXPECT_NE(other.body.find("there is no environment 'gone'"), std::string::npos) << other.body;
  Response again = Submit(spec, "again");
  ASSERT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(json::serialize(again.Json().at("spec")), spec);
}

TEST_F(WorkFromAssets, UsesNoneOfAProjectBeside) {
  ProjectId other = harness_.MakeProject("other");
  std::string scope = fmt::format(R"("scope":"project","projectId":{})", other.value);
  std::string id = Make("environment", "theirs", R"({"image":"secret:1"})", scope);
  for (const std::string& name : {std::string("theirs"), id}) {
    Response refused = Submit(fmt::format(R"({{"assets":{{"environment":"{}"}}}})", name));
    EXPECT_EQ(refused.status, 404) << refused.body;
    EXPECT_EQ(refused.body.find("secret:1"), std::string::npos);
    // Nor does somebody who sees it use it elsewhere.
    refused =
        Submit(fmt::format(R"({{"assets":{{"environment":"{}"}}}})", name), "w", testing::kAdmin);
    EXPECT_EQ(refused.status, 404) << refused.body;
  }
}

TEST_F(WorkFromAssets, TakesTheAssetNearestToItsProject) {
  std::string scope = fmt::format(R"("scope":"project","projectId":{})", project_.value);
  Make("environment", "lab", R"({"image":"nearer:1"})", scope);
  Response made = Submit(R"({"assets":{"environment":"lab"}})");
  ASSERT_EQ(made.status, 200) << made.body;
  EXPECT_EQ(made.Json().at("spec").at("image"), "nearer:1");
}

}  // namespace
}  // namespace yard::api

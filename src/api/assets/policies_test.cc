#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"
#include "control/policy/policy.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

constexpr std::string_view kPath = "/api/v2/policy/workspaces";

std::string Body(std::string_view meta, std::string_view policy) {
  return fmt::format(R"({{"meta":{{"name":"p",{}}},"policy":{}}})", meta, policy);
}

std::string AtProject(ProjectId project) {
  return fmt::format(R"("scope":"project","projectId":{})", project.value);
}

constexpr std::string_view kTenant = R"("scope":"tenant")";

TEST(Policies, AScopeShowsItsOwnPolicyAndWhatHoldsThereInAll) {
  Harness h;
  ProjectId project = h.MakeProject("vision");
  h.Admin().Put(std::string(kPath),
                Body(kTenant, R"({"rules":{"compute":{"gpuDevicesRequest":{"max":2}}}})"));
  Response made =
      h.Admin().Put(std::string(kPath), Body(AtProject(project), R"({"defaults":{"image":"x"},
                                   "rules":{"compute":{"gpuDevicesRequest":{"max":8}}}})"));
  ASSERT_EQ(made.status, 200) << made.body;
  Response got = h.Admin().Get(fmt::format("{}?scope=project&projectId={}", kPath, project.value));
  const json::value answer = got.Json();
  EXPECT_EQ(answer.at("meta").at("projectId"), project.value);
  EXPECT_EQ(answer.at("policy").at("rules").at("compute").at("gpuDevicesRequest").at("max"), 8);
  const json::value& rule =
      answer.at("effective").at("rules").at("compute").at("gpuDevicesRequest");
  EXPECT_EQ(rule.at("max"), 2);
  EXPECT_EQ(rule.at("sourceOfRule").at("scope"), "tenant");
}

TEST(Policies, AScopeWithoutAnyPolicyIsNotFound) {
  Harness h;
  EXPECT_EQ(h.Admin().Get(fmt::format("{}?scope=tenant", kPath)).status, 404);
  EXPECT_EQ(h.Admin().Get(std::string(kPath)).status, 400);
}

TEST(Policies, AChangeKeepsWhatItDoesNotNameAndTakesOutWhatItResets) {
  Harness h;
  h.Admin().Put(std::string(kPath),
                Body(kTenant, R"({"defaults":{"image":"x","workingDir":"/w","tty":true}})"));
  Response changed =
      h.Admin().Patch(std::string(kPath),
                      R"({"meta":{"name":"p","scope":"tenant"},"policy":{"defaults":{"image":"y"}},
          "reset":["defaults.tty"]})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  const json::value defaults = changed.Json().at("policy").at("defaults");
  EXPECT_EQ(defaults.at("image"), "y");
  EXPECT_EQ(defaults.at("workingDir"), "/w");
  EXPECT_FALSE(defaults.as_object().contains("tty"));
}

TEST(Policies, ValidateOnlyChangesNothing) {
  Harness h;
  Response checked = h.Admin().Put(fmt::format("{}?validateOnly=true", kPath),
                                   Body(kTenant, R"({"defaults":{"image":"x"}})"));
  EXPECT_EQ(checked.status, 200) << checked.body;
  EXPECT_EQ(h.state()->Of<Policy>().size(), 0U);
  Response refused =
      h.Admin().Put(fmt::format("{}?validateOnly=true", kPath),
                    Body(kTenant, R"({"rules":{"backoffLimit":{"min":5,"max":1}}})"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("policy.rules.backoffLimit"), std::string::npos) << refused.body;
}

TEST(Policies, MisspeltNamesAreRefusedWithTheNearest) {
  Harness h;
  auto refusal = [&](std::string_view kind, std::string_view policy) {
    Response refused = h.Admin().Put(fmt::format("/api/v2/policy/{}", kind), Body(kTenant, policy));
    EXPECT_EQ(refused.status, 400) << refused.body;
    return refused.status == 400 ? std::string(refused.Json().at("message").as_string()) : "";
  };
  EXPECT_EQ(refusal("workspaces", R"({"rules":{"compute":{"gpuDeviceRequest":{"max":2}}}})"),
            "the policy names what is not there: policy.rules.compute.gpuDeviceRequest is not a "
            "known field; did you mean 'gpuDevicesRequest'?");
  EXPECT_TRUE(refusal("workspaces", R"({"defaults":{"imagePulPolicy":"Always"}})")
                  .ends_with("did you mean 'imagePullPolicy'?"));
  EXPECT_TRUE(refusal("workspaces", R"({"rules":{"backoffLimit":{"maxx":2}}})")
                  .ends_with("did you mean 'max'?"));
  EXPECT_TRUE(refusal("distributed", R"({"rules":{"workr":{"backoffLimit":{"max":2}}}})")
                  .contains("did you mean 'worker'?"));
  EXPECT_EQ(h.state()->Of<Policy>().size(), 0U);
}

TEST(Policies, AreListedByTypeAndDeletedByScope) {
  Harness h;
  h.Admin().Put(std::string(kPath), Body(kTenant, "{}"));
  h.Admin().Put("/api/v2/policy/trainings", Body(kTenant, "{}"));
  Response list = h.Admin().Get("/api/v2/policy?workloadType=Training");
  EXPECT_EQ(list.Json().at("policies").as_array().size(), 1U) << list.body;
  EXPECT_EQ(list.Json().at("policies").at(0).at("type"), "training");
  EXPECT_EQ(h.Admin().Delete(fmt::format("{}?scope=tenant", kPath)).status, 204);
  EXPECT_EQ(h.Admin().Delete(fmt::format("{}?scope=tenant", kPath)).status, 404);
}

TEST(Policies, OnlyWhoAdministersAScopeMayChangeItsPolicy) {
  Harness h;
  ProjectId project = h.MakeProject("vision");
  h.Grant("ann@lab.org", "L1 researcher", Scope::Of(project));
  h.Grant("eve@lab.org", "Editor", Scope::Of(project));
  EXPECT_EQ(h.As("ann@lab.org").Put(std::string(kPath), Body(AtProject(project), "{}")).status,
            403);
  EXPECT_EQ(h.As("eve@lab.org").Put(std::string(kPath), Body(kTenant, "{}")).status, 403);
  EXPECT_EQ(h.As("eve@lab.org").Put(std::string(kPath), Body(AtProject(project), "{}")).status,
            200);
}

TEST(Policies, ASubmissionGetsDefaultsAndImposedDataSources) {
  Harness h;
  ProjectId project = h.MakeProject("vision");
  Response nfs = h.Admin().Post("/api/v1/asset/datasource/nfs",
                                R"({"meta":{"name":"home","scope":"tenant"},
          "spec":{"server":"s","path":"/p","mountPath":"/m"}})");
  std::string id(std::string_view(nfs.Json().at("meta").at("id").as_string()));
  Response made = h.Admin().Put(
      std::string(kPath),
      Body(kTenant, fmt::format(R"({{"defaults":{{"image":"x"}},"imposedAssets":["{}"]}})", id)));
  ASSERT_EQ(made.status, 200) << made.body;
  auto spec = control::ApplyPolicy(*h.state(), PolicyType::kWorkspace, project, "{}");
  EXPECT_EQ(spec.value(), R"({"image":"x","storage":{"nfs":[{"server":"s","path":"/p",)"
                          R"("mountPath":"/m","name":"home"}]}})");
  EXPECT_EQ(h.Admin().Delete("/api/v1/asset/datasource/nfs/" + id).status, 409);
}

TEST(Policies, ADataSourceThatNeedsACredentialCannotBeImposed) {
  Harness h;
  auto make = [&](std::string path, std::string_view spec) {
    Response made = h.Admin().Post(
        "/api/v1/asset/" + path,
        fmt::format(R"({{"meta":{{"name":"a","scope":"tenant"}},"spec":{}}})", spec));
    return std::string(std::string_view(made.Json().at("meta").at("id").as_string()));
  };
  std::string password = make("credentials/password", R"({"user":"u","password":"p"})");
  std::string git =
      make("datasource/git",
           fmt::format(R"({{"repository":"r","path":"/p","passwordAssetId":"{}"}})", password));
  Response refused = h.Admin().Put(
      std::string(kPath), Body(kTenant, fmt::format(R"({{"imposedAssets":["{}"]}})", git)));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("uses a credential"), std::string::npos) << refused.body;
}

TEST(Policies, ASubmissionThatDoesNotComplyIsRefusedFieldByField) {
  Harness h;
  ProjectId project = h.MakeProject("vision");
  h.Admin().Put("/api/v2/policy/distributed",
                Body(kTenant, R"({"rules":{"worker":{"image":{"required":true}}}})"));
  auto refused = control::ApplyPolicy(*h.state(), PolicyType::kDistributed, project, "{}");
  ASSERT_FALSE(refused.has_value());
  ASSERT_EQ(refused.error().fields.size(), 1U);
  EXPECT_EQ(refused.error().fields[0].field, "spec.image");
  control::Submission master{PolicyType::kDistributed, project, control::Replica::kMaster};
  EXPECT_EQ(control::ApplyPolicy(*h.state(), master, "{}").value(), "{}");
}

}  // namespace
}  // namespace yard::api

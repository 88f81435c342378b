#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

std::string IdOf(const Response& response) {
  return std::string(std::string_view(response.Json().at("meta").at("id").as_string()));
}

std::string Named(std::string_view name, std::string_view spec) {
  return fmt::format(R"({{"meta":{{"name":"{}","scope":"tenant"}},"spec":{}}})", name, spec);
}

std::string InProject(std::string_view name, ProjectId project, std::string_view spec) {
  return fmt::format(R"({{"meta":{{"name":"{}","scope":"project","projectId":{}}},"spec":{}}})",
                     name, project.value, spec);
}

std::size_t Entries(const Response& response) {
  return response.Json().at("entries").as_array().size();
}

constexpr std::string_view kCompute = "/api/v1/asset/compute";
constexpr std::string_view kPassword = "/api/v1/asset/credentials/password";

TEST(Assets, TheSeedsScriptCreatesNineComputeResources) {
  Harness h;
  for (int i = 0; i <= 8; ++i) {
    std::string portion = i == 1 ? R"(,"gpuRequestType":"portion","gpuPortionRequest":1.0)" : "";
    std::string body = fmt::format(
        R"({{"meta":{{"name":"gpu{}","scope":"tenant"}},"spec":{{"gpuDevicesRequest":{}{}}}}})", i,
        i, portion);
    Response made = h.Admin().Post(std::string(kCompute), body);
    EXPECT_EQ(made.status, 202) << made.body;
  }
  Response list = h.Admin().Get(std::string(kCompute));
  EXPECT_EQ(Entries(list), 9U);
  EXPECT_EQ(
      h.Admin().Post(std::string(kCompute), Named("gpu0", R"({"gpuDevicesRequest":0})")).status,
      409);
}

TEST(Assets, ANameIsUniquePerKindAndScopeOnly) {
  Harness h;
  ProjectId project = h.MakeProject("vision");
  EXPECT_EQ(h.Admin().Post(std::string(kCompute), Named("one", "{}")).status, 202);
  EXPECT_EQ(h.Admin().Post(std::string(kCompute), InProject("one", project, "{}")).status, 202);
  EXPECT_EQ(h.Admin().Post("/api/v1/asset/environment", Named("one", "{}")).status, 202);
  EXPECT_EQ(h.Admin().Post(std::string(kCompute), InProject("one", project, "{}")).status, 409);
}

TEST(Assets, ContradictingFieldsAreNamed) {
  Harness h;
  Response refused = h.Admin().Post(
      std::string(kCompute),
      Named("bad", R"({"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":0.5,
                       "gpuPortionLimit":0.2,"migProfile":"1g.5gb"})"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("spec.gpuPortionLimit must be at least gpuPortionRequest"),
            std::string::npos)
      << refused.body;
  EXPECT_NE(refused.body.find("spec.migProfile"), std::string::npos);
}

TEST(Assets, AScopeMustExist) {
  Harness h;
  Response refused = h.Admin().Post(std::string(kCompute), InProject("x", ProjectId{99}, "{}"));
  EXPECT_EQ(refused.status, 400) << refused.body;
  refused = h.Admin().Post(std::string(kCompute),
                           R"({"meta":{"name":"x","scope":"department"},"spec":{}})");
  EXPECT_NE(refused.body.find("departmentId is required"), std::string::npos) << refused.body;
}

TEST(Assets, MembersSeeAssetsOfTheirProjectAndAboveButNotBeside) {
  Harness h;
  ProjectId mine = h.MakeProject("mine");
  ProjectId other = h.MakeProject("other");
  h.Grant("ann@lab.org", "L1 researcher", Scope::Of(mine));
  h.Admin().Post(std::string(kCompute), Named("shared", "{}"));
  h.Admin().Post(std::string(kCompute), InProject("own", mine, "{}"));
  Response hidden = h.Admin().Post(std::string(kCompute), InProject("hidden", other, "{}"));
  Response list = h.As("ann@lab.org").Get(std::string(kCompute));
  EXPECT_EQ(Entries(list), 2U) << list.body;
  EXPECT_EQ(h.As("ann@lab.org").Get(fmt::format("{}/{}", kCompute, IdOf(hidden))).status, 403);
  EXPECT_EQ(h.As("ann@lab.org").Post(std::string(kCompute), Named("no", "{}")).status, 403);
  EXPECT_EQ(h.As("ann@lab.org").Post(std::string(kCompute), InProject("yes", mine, "{}")).status,
            202);
}

TEST(Assets, AListOfAProjectHoldsWhatCanBeUsedThere) {
  Harness h;
  ProjectId mine = h.MakeProject("mine");
  ProjectId other = h.MakeProject("other");
  h.Admin().Post(std::string(kCompute), Named("shared", "{}"));
  h.Admin().Post(std::string(kCompute), InProject("own", mine, "{}"));
  h.Admin().Post(std::string(kCompute), InProject("else", other, "{}"));
  std::string list = fmt::format("{}?projectId={}", kCompute, mine.value);
  EXPECT_EQ(Entries(h.Admin().Get(list)), 2U);
  EXPECT_EQ(Entries(h.Admin().Get(list + "&scope=project")), 1U);
  EXPECT_EQ(Entries(h.Admin().Get(list + "&name=own")), 1U);
}

TEST(Credentials, ASecretIsNeverShownAndKeptByAnUpdateThatDoesNotSendIt) {
  Harness h;
  Response made = h.Admin().Post(std::string(kPassword),
                                 Named("git", R"({"user":"ann","password":"hunter2"})"));
  ASSERT_EQ(made.status, 202) << made.body;
  EXPECT_EQ(made.body.find("hunter2"), std::string::npos);
  EXPECT_EQ(made.Json().at("spec").at("keyId"), 1);
  std::string path = fmt::format("{}/{}", kPassword, IdOf(made));
  AssetId id{*ParseUuid(IdOf(made))};
  std::string sealed = h.state()->Find<Asset>(id)->sealed_secret;
  EXPECT_NE(sealed, "");
  EXPECT_EQ(h.state()->Find<Asset>(id)->spec.json.find("hunter2"), std::string::npos);
  Response renamed = h.Admin().Put(path, R"({"meta":{"name":"git2"}})");
  EXPECT_EQ(renamed.status, 202) << renamed.body;
  EXPECT_EQ(h.state()->Find<Asset>(id)->sealed_secret, sealed);
  Response described = h.Admin().Put(path, R"({"meta":{"description":"seen"}})");
  EXPECT_EQ(described.Json().at("meta").at("name"), "git2");
  h.Admin().Put(path, R"({"meta":{"name":"git2"},"spec":{"password":"other"}})");
  EXPECT_NE(h.state()->Find<Asset>(id)->sealed_secret, sealed);
  EXPECT_EQ(h.Admin().Get(path).Json().at("spec").at("user"), "ann");
  Response list = h.Admin().Get("/api/v1/asset/credentials");
  EXPECT_EQ(list.Json().at("entries").at(0).at("spec").at("password").at("user"), "ann");
}

TEST(Credentials, TheJournalHoldsNoSecretInClear) {
  Harness h;
  h.Admin().Post("/api/v1/asset/credentials/generic-secret",
                 Named("keys", R"({"keyValuePairs":[{"key":"token","value":"hunter2"}]})"));
  JournalPage page = h.service().ReadJournal({}).value();
  ASSERT_FALSE(page.records.empty());
  for (const JournalRecord& record : page.records) {
    EXPECT_EQ(record.after.value_or("").find("hunter2"), std::string::npos) << *record.after;
  }
}

TEST(Credentials, NeedASecretOrTheNameOfOne) {
  Harness h;
  Response refused = h.Admin().Post(std::string(kPassword), Named("p", R"({"user":"ann"})"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("spec.password is required"), std::string::npos) << refused.body;
  EXPECT_EQ(
      h.Admin().Post(std::string(kPassword), Named("p", R"({"existingSecretName":"s"})")).status,
      202);
}

TEST(Registries, AnswerWithTheContractsCodesAndAHiddenPassword) {
  Harness h;
  Response made = h.Admin().Post(
      "/api/v1/asset/registries",
      Named("hub",
            R"({"url":"https://r","credentialKind":"password","user":"u","password":"pw1"})"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.Json().at("spec").at("password"), "********");
  std::string path = "/api/v1/asset/registries/" + IdOf(made);
  EXPECT_EQ(h.Admin().Put(path, R"({"meta":{"name":"hub2"}})").status, 200);
  EXPECT_EQ(h.Admin().Get(path + "/repositories").status, 501);
  EXPECT_EQ(h.Admin().Delete(path).status, 204);
}

TEST(DataSources, AreListedTogetherUnderTheirKind) {
  Harness h;
  Response nfs = h.Admin().Post("/api/v1/asset/datasource/nfs",
                                Named("home", R"({"server":"s","path":"/p","mountPath":"/m"})"));
  ASSERT_EQ(nfs.status, 202) << nfs.body;
  h.clock().Advance(Seconds(1));
  h.Admin().Post("/api/v1/asset/datasource/config-map",
                 Named("cm", R"({"configMap":"c","mountPath":"/m"})"));
  Response list = h.Admin().Get("/api/v1/asset/datasource");
  ASSERT_EQ(Entries(list), 2U) << list.body;
  EXPECT_EQ(list.Json().at("entries").at(0).at("spec").at("nfs").at("server"), "s");
  EXPECT_TRUE(list.Json().at("entries").at(1).at("spec").as_object().contains("config_map"));
}

TEST(DataSources, RefuseACredentialThatIsNotThere) {
  Harness h;
  Response refused =
      h.Admin().Post("/api/v1/asset/datasource/git", Named("code", R"({"repository":"r","path":"/p",
                        "passwordAssetId":"00000000-0000-4000-8000-000000000000"})"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("spec.passwordAssetId"), std::string::npos) << refused.body;
}

TEST(Templates, ShowTheNamesOfTheirAssetsAndKeepThemFromDeletion) {
  Harness h;
  std::string environment =
      IdOf(h.Admin().Post("/api/v1/asset/environment", Named("jupyter", R"({"image":"i"})")));
  std::string compute = IdOf(h.Admin().Post(std::string(kCompute), Named("gpu1", "{}")));
  Response made = h.Admin().Post(
      "/api/v1/asset/workload-template",
      Named("start", fmt::format(R"({{"assets":{{"environment":"{}","compute":"{}"}}}})",
                                 environment, compute)));
  ASSERT_EQ(made.status, 202) << made.body;
  EXPECT_EQ(made.Json().at("spec").at("assets").at("environment").at("name"), "jupyter");
  std::string path = fmt::format("{}/{}", kCompute, compute);
  Response refused = h.Admin().Delete(path);
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("used by template 'start'"), std::string::npos) << refused.body;
  Response used = h.Admin().Get(path + "?usageInfo=true");
  EXPECT_EQ(used.Json().at("usedBy").at("templates").at(0).at("name"), "start");
  EXPECT_FALSE(used.Json().as_object().contains("status"));
  Response judged = h.Admin().Get(path + "?statusInfo=true");
  EXPECT_EQ(judged.Json().at("status").at("status"), "No issues found");
  EXPECT_EQ(h.Admin().Delete("/api/v1/asset/workload-template/" + IdOf(made)).status, 202);
  EXPECT_EQ(h.Admin().Delete(path).status, 202);
  EXPECT_EQ(h.Admin().Get(path).status, 404);
}

TEST(Assets, SayWhetherTheyComplyWithAProjectsPolicy) {
  Harness h;
  ProjectId project = h.MakeProject("vision");
  h.Admin().Put("/api/v2/policy/workspaces",
                R"({"meta":{"name":"p","scope":"tenant"},
                    "policy":{"rules":{"compute":{"gpuDevicesRequest":{"max":2}}}}})");
  h.Admin().Post(std::string(kCompute), Named("big", R"({"gpuDevicesRequest":4})"));
  Response list = h.Admin().Get(
      fmt::format("{}?complyToProject={}&complyToWorkloadType=Workspace", kCompute, project.value));
  const json::value asset = list.Json().at("entries").at(0);
  EXPECT_EQ(asset.at("compliance").at("compliance"), false);
  EXPECT_EQ(asset.at("compliance").at("reason").at(0).at("field"), "compute.gpuDevicesRequest");
}

}  // namespace
}  // namespace yard::api

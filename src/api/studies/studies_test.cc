// Whose studies they are.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"
#include "data/chunk.h"
#include "data/frame.h"
#include "data/manifest.h"

namespace yard::api::testing {
namespace {

constexpr std::string_view kSpec =
    R"({"objectives":[{"metric":"loss"}],"parameters":[{"name":"x","low":0,"high":1}]})";

// A study of ann in the project vision, of which bob is a member, too.
class StudiesOfAnn : public ::testing::Test {
 protected:
  void SetUp() override {
    project_ = h_.MakeProject("vision");
    for (const char* who : {"ann@lab.org", "bob@lab.org"})
      h_.Grant(who, "L1 researcher", Scope::Of(project_));
    Response made =
        h_.As("ann@lab.org")
            .Post("/api/v1/studies", fmt::format(R"({{"name":"s","projectId":"{}","spec":{}}})",
                                                 project_.value, kSpec));
    ASSERT_EQ(made.status, 201) << made.body;
    path_ = "/api/v1/studies/" + std::string(made.Json().at("id").as_string());
  }
  void Set(std::string_view access) {
    const std::string path = fmt::format("/api/v1/org-unit/projects/{}", project_.value);
    json::object body{{"resources", h_.Admin().Get(path).Json().at("resources")},
                      {"workAccess", access}};
    Response done = h_.Admin().Put(path, json::serialize(body));
    ASSERT_EQ(done.status, 200) << done.body;
  }
  // The statuses of all orders that somebody gives to the study, as one text.
  std::string OrdersOf(std::string_view who) {
    std::string statuses;
    for (auto [path, body] : {std::pair{"/pause", ""},
                              {"/resume", ""},
                              {"/extend", R"({"maxTrials":9})"},
                              {"/trials", R"({"parameters":{"x":0.5}})"},
                              {"/trials/0/reports", R"({"value":1,"step":1})"},
                              {"/trials/0/tell", R"({"values":[1]})"},
                              {"/stop", ""}})
      statuses += fmt::format("{} ", h_.As(who).Post(path_ + path, body).status);
    return statuses + fmt::to_string(h_.As(who).Delete(path_).status);
  }

  Harness h_;
  ProjectId project_;
  std::string path_;
};

TEST_F(StudiesOfAnn, ArePassedOnInATeam) {
  EXPECT_EQ(OrdersOf("bob@lab.org"), "200 200 200 201 200 200 200 204");
}

// They make work in her name, and stop it.
TEST_F(StudiesOfAnn, AreHersAloneWhereTheProjectKeepsWorkApart) {
  Set("private");
  EXPECT_EQ(OrdersOf("bob@lab.org"), "403 403 403 403 403 403 403 403");
  Response refused = h_.As("bob@lab.org").Post(path_ + "/stop");
  EXPECT_NE(refused.body.find("study 's' is ann@lab.org's"), std::string::npos) << refused.body;
  EXPECT_EQ(h_.As("bob@lab.org").Get(path_).status, 200) << "seen by all members";
  EXPECT_EQ(OrdersOf("ann@lab.org"), "200 200 200 201 200 200 200 204");
}

TEST_F(StudiesOfAnn, AreOrderedByAdministratorsOfTheProject) {
  Set("private");
  EXPECT_EQ(OrdersOf(kAdmin), "200 200 200 201 200 200 200 204");
}

// Trials read data sets as all work does: by the rights of whoever makes the study, and as their
// tags stand then.
TEST_F(StudiesOfAnn, ReadDataSetsByTheRightsOfTheirOwner) {
  const std::string manifest = data::WriteManifest({});
  std::string frames;
  data::AppendPacked(frames, data::IdOf(manifest), manifest);
  const std::string sets = fmt::format("/api/v1/datasets/{}", project_.value);
  ASSERT_EQ(h_.Admin().Post(sets + "/chunks", frames).status, 200);
  Response version = h_.Admin().Post(
      sets + "/versions",
      fmt::format(R"({{"name":"secrets","manifest":["{}"]}})", data::Hex(data::IdOf(manifest))));
  ASSERT_EQ(version.status, 200) << version.body;
  Response role = h_.Admin().Post("/api/v1/authorization/roles", R"({"name":"clerk",
      "description":"submits","permissions":[
      {"resourceType":"trainings","actions":["create","read"]}]})");
  ASSERT_EQ(role.status, 201) << role.body;
  h_.Grant("cleo@lab.org", "clerk", Scope::Of(project_));
  auto make = [&](std::string_view who, std::string_view name) {
    return h_.As(who).Post(
        "/api/v1/studies",
        fmt::format(
            R"({{"name":"{}","projectId":"{}","spec":{{"objectives":[{{"metric":"loss"}}],)"
            R"("parameters":[{{"name":"x","low":0,"high":1}}],"workload":{{"image":"lab/train",)"
            R"("command":"train ${{x}}","storage":{{"dataSets":[{{"name":"secrets"}}]}}}}}}}})",
            name, project_.value));
  };
  EXPECT_EQ(make("cleo@lab.org", "stolen").status, 403);
  Response made = make("ann@lab.org", "own");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_NE(made.body.find(data::Hex(data::IdOf(manifest))), std::string::npos) << made.body;
}

}  // namespace
}  // namespace yard::api::testing

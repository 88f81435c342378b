#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::kAdmin;
using testing::Response;

constexpr const char* kRules = "/api/v1/authorization/access-rules";
constexpr const char* kRoles = "/api/v1/authorization/roles";

std::string Rule(std::string_view subject, std::int64_t role, ProjectId project) {
  return fmt::format(R"({{"subjectId":"{}","subjectType":"user","roleId":{},)"
                     R"("scopeId":"{}","scopeType":"project"}})",
                     subject, role, project.value);
}

class AccessRuleTest : public ::testing::Test {
 protected:
  std::string MakeUser(std::string email) {
    Response r = h_.Admin().Post("/api/v1/users", fmt::format(R"({{"email":"{}"}})", email));
    return std::string(r.Json().at("id").as_string());
  }
  Harness h_;
};

TEST_F(AccessRuleTest, ASubjectIsNamedByEmailOrByIdAndARuleIsGivenOnce) {
  std::string id = MakeUser("ann@lab.org");
  ProjectId project = h_.MakeProject("vision");
  Response made = h_.Admin().Post(kRules, Rule("ann@lab.org", 6, project));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.Json().at("roleName").as_string(), "L2 researcher");
  EXPECT_EQ(h_.Admin().Post(kRules, Rule(id, 6, project)).status, 409);
  EXPECT_EQ(h_.Admin().Post(kRules, Rule(id, 8, project)).Json().at("subjectId").as_string(),
            "ann@lab.org");
  EXPECT_EQ(h_.Admin().Post(kRules, Rule("bob@lab.org", 6, project)).status, 404);
  EXPECT_EQ(h_.Admin().Post(kRules, Rule(id, 6, ProjectId{999})).status, 404);
  EXPECT_EQ(h_.Admin().Post(kRules, Rule(id, 999, project)).status, 404);
}

TEST_F(AccessRuleTest, NobodyGrantsMoreThanTheyHave) {
  MakeUser("bob@lab.org");
  ProjectId project = h_.MakeProject("vision");
  ProjectId other = h_.MakeProject("speech");
  h_.Grant("ann@lab.org", "Department administrator", Scope::Of(project));
  auto ann = h_.As("ann@lab.org");
  EXPECT_EQ(ann.Post(kRules, Rule("bob@lab.org", 1, project)).status, 403);
  EXPECT_EQ(ann.Post(kRules, Rule("bob@lab.org", 6, other)).status, 403);
  EXPECT_EQ(ann.Post(kRules, Rule("bob@lab.org", 6, project)).status, 201);
}

TEST_F(AccessRuleTest, NobodyTakesAwayMoreThanTheyCouldGive) {
  MakeUser("boss@lab.org");
  h_.Grant("boss@lab.org", "System administrator");
  h_.Grant("ed@lab.org", "Editor");
  json::value found = h_.Admin().Get(std::string(kRules) + "?subjectIdFilter=boss").Json();
  std::string rule = std::to_string(found.at("accessRules").at(0).at("id").as_int64());
  auto ed = h_.As("ed@lab.org");
  EXPECT_EQ(ed.Delete(std::string(kRules) + "/" + rule).status, 403);
  MakeUser("bob@lab.org");
  Response made = ed.Post(kRules, Rule("bob@lab.org", 6, h_.MakeProject("vision")));
  ASSERT_EQ(made.status, 201) << made.body;
  std::string own = std::to_string(made.Json().at("id").as_int64());
  EXPECT_EQ(ed.Delete(std::string(kRules) + "/" + own).status, 204);
  EXPECT_EQ(h_.Admin().Delete(std::string(kRules) + "/" + rule).status, 204);
}

TEST_F(AccessRuleTest, NobodyTakesOverAnAccountThatMayDoMore) {
  std::string boss = MakeUser("boss@lab.org");
  h_.Grant("boss@lab.org", "System administrator");
  h_.Grant("ann@lab.org", "Department administrator", Scope::Of(h_.MakeProject("vision")));
  auto ann = h_.As("ann@lab.org");
  EXPECT_EQ(ann.Post("/api/v1/users/" + boss + "/password").status, 403);
  EXPECT_EQ(ann.Delete("/api/v1/users/" + boss).status, 403);
  EXPECT_EQ(ann.Patch("/api/v1/users/" + boss, R"({"unixName":"ann"})").status, 403);
  std::string bob = MakeUser("bob@lab.org");
  EXPECT_EQ(ann.Post("/api/v1/users/" + bob + "/password").status, 200);
}

TEST_F(AccessRuleTest, JoiningAGroupIsBeingGrantedItsRoles) {
  h_.Admin().Post(kRules, R"({"subjectId":"wheel","subjectType":"group","roleId":1,
                              "scopeId":"1","scopeType":"tenant"})");
  std::string bob = MakeUser("bob@lab.org");
  h_.Grant("ann@lab.org", "Department administrator", Scope::Of(h_.MakeProject("vision")));
  std::string body = R"({"groups":["wheel"]})";
  EXPECT_EQ(h_.As("ann@lab.org").Patch("/api/v1/users/" + bob, body).status, 403);
  EXPECT_EQ(h_.Admin().Patch("/api/v1/users/" + bob, body).status, 200);
  EXPECT_EQ(h_.As("bob@lab.org").Get("/api/v1/users").status, 200);
}

TEST_F(AccessRuleTest, TheLastAdministratorStays) {
  Response all = h_.Admin().Get(kRules);
  std::string rule = std::to_string(all.Json().at("accessRules").at(0).at("id").as_int64());
  EXPECT_EQ(h_.Admin().Delete(std::string(kRules) + "/" + rule).status, 409);
  std::string admin =
      std::string(h_.Admin().Get("/api/v1/users").Json().at(0).at("id").as_string());
  EXPECT_EQ(h_.Admin().Delete("/api/v1/users/" + admin).status, 409);
  MakeUser("bob@lab.org");
  h_.Grant("bob@lab.org", "System administrator");
  EXPECT_EQ(h_.Admin().Delete("/api/v1/users/" + admin).status, 204);
  EXPECT_EQ(h_.As("bob@lab.org").Get(kRules).status, 200);
}

TEST_F(AccessRuleTest, ADeletedRuleGrantsNothingAndIsKeptForTheRecord) {
  MakeUser("ann@lab.org");
  ProjectId project = h_.MakeProject("vision");
  Response made = h_.Admin().Post(kRules, Rule("ann@lab.org", 6, project));
  std::string one = std::string(kRules) + "/" + std::to_string(made.Json().at("id").as_int64());
  EXPECT_EQ(h_.As("ann@lab.org").Get("/api/v1/org-unit/projects").status, 200);
  EXPECT_EQ(h_.Admin().Delete(one).status, 204);
  EXPECT_EQ(h_.As("ann@lab.org").Get("/api/v1/org-unit/projects").status, 403);
  EXPECT_EQ(h_.Admin().Delete(one).status, 404);
  auto count = [&](std::string query) {
    return h_.Admin().Get(std::string(kRules) + "/count" + query).Json().at("count").as_int64();
  };
  EXPECT_EQ(count("?filterBy=subjectId==ann@lab.org"), 0);
  EXPECT_EQ(count("?filterBy=subjectId==ann@lab.org&includeDeleted=true"), 1);
}

TEST_F(AccessRuleTest, ACustomRoleIsMadeChangedGrantedAndDeleted) {
  std::string body = R"({"name":"Reader","description":"reads",
      "permissions":[{"resourceType":"project","actions":["read"]}]})";
  Response made = h_.Admin().Post(kRoles, body);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(h_.Admin().Post(kRoles, body).status, 409);
  std::int64_t id = made.Json().at("id").as_int64();
  std::string one = fmt::format("{}/{}", kRoles, id);
  MakeUser("ann@lab.org");
  ProjectId project = h_.MakeProject("vision");
  Response rule = h_.Admin().Post(kRules, Rule("ann@lab.org", id, project));
  ASSERT_EQ(rule.status, 201) << rule.body;
  EXPECT_EQ(h_.As("ann@lab.org").Get("/api/v1/org-unit/projects").status, 200);
  EXPECT_EQ(h_.Admin().Delete(one).status, 409);
  EXPECT_EQ(h_.Admin().Put(one, R"({"name":"Reader","permissions":[]})").status, 200);
  EXPECT_EQ(h_.As("ann@lab.org").Get("/api/v1/org-unit/projects").status, 403);
  h_.Admin().Delete(fmt::format("{}/{}", kRules, rule.Json().at("id").as_int64()));
  EXPECT_EQ(h_.Admin().Delete(one).status, 204);
}

TEST_F(AccessRuleTest, AnUnknownResourceTypeIsNamed) {
  Response r = h_.Admin().Post(
      kRoles, R"({"name":"R","permissions":[{"resourceType":"nonsense","actions":["read"]}]})");
  EXPECT_EQ(r.status, 400);
  EXPECT_NE(r.body.find("nonsense"), std::string::npos);
}

TEST_F(AccessRuleTest, PredefinedRolesStayAsTheyAre) {
  std::string body = R"({"name":"Mine","permissions":[]})";
  EXPECT_EQ(h_.Admin().Put(std::string(kRoles) + "/6", body).status, 409);
  EXPECT_EQ(h_.Admin().Delete(std::string(kRoles) + "/6").status, 409);
  EXPECT_EQ(h_.Admin().Get(kRoles).Json().as_array().size(), 15U);
}

TEST_F(AccessRuleTest, PermittedScopesNameWhereARoleReaches) {
  ProjectId project = h_.MakeProject("vision");
  h_.Grant("ann@lab.org", "L2 researcher", Scope::Of(project));
  Response r =
      h_.As("ann@lab.org")
          .Post("/api/v1/authorization/permitted-scopes", R"({"resourceType":"workloads"})");
  ASSERT_EQ(r.status, 200) << r.body;
  EXPECT_EQ(r.Json().at("create").at("projects").at(0).as_string(), std::to_string(project.value));
  EXPECT_EQ(h_.As("ann@lab.org")
                .Post("/api/v1/authorization/permitted-scopes", R"({"resourceType":"nonsense"})")
                .status,
            400);
}

TEST_F(AccessRuleTest, AUserHasAtMostTwentyApplicationsOfTheirOwn) {
  MakeUser("ann@lab.org");
  auto ann = h_.As("ann@lab.org");
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(
        ann.Post("/api/v1/user-applications", fmt::format(R"({{"name":"app-{}"}})", i)).status,
        201);
  }
  EXPECT_EQ(ann.Post("/api/v1/user-applications", R"({"name":"one-more"})").status, 409);
  EXPECT_EQ(h_.As("bob@lab.org").Get("/api/v1/user-applications").body, "[]");
  EXPECT_EQ(h_.Admin().Get("/api/v1/administration/user-applications").Json().as_array().size(),
            20U);
}

TEST_F(AccessRuleTest, BadNamesAndMailsAreRefused) {
  EXPECT_EQ(h_.Admin().Post("/api/v1/apps", R"({"name":"Robot"})").status, 400);
  EXPECT_EQ(h_.Admin().Post("/api/v1/users", R"({"email":"nonsense"})").status, 400);
  EXPECT_EQ(h_.Admin().Post("/api/v1/users", fmt::format(R"({{"email":"{}"}})", kAdmin)).status,
            409);
}

}  // namespace
}  // namespace yard::api

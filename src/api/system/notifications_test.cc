#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/authorization_world.h"
#include "api/testing/harness.h"
#include "control/commands/roles_predefined.h"

namespace yard::api {
namespace {

using testing::Harness;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Position;
using testing::Response;
using testing::World;

constexpr const char* kRules = "/api/v1/notifications/rules";
constexpr const char* kSecret = "0123456789abcdef-top-secret";

std::string Webhook(std::string_view name, std::string_view more = "") {
  return fmt::format(R"({{"name":"{}","events":["Failed"],"channel":"webhook",)"
                     R"("target":"https://ci.lab.org/hook?token=hush","secret":"{}"{}}})",
                     name, kSecret, more);
}

std::string IdOf(const Response& r) {
  return std::string(r.Json().at("id").as_string());
}

class NotificationsTest : public ::testing::Test {
 protected:
  NotificationsTest() {
    for (const char* email : {"ann@lab.org", "bob@lab.org"}) {
      h_.Admin().Post("/api/v1/users", fmt::format(R"({{"email":"{}"}})", email));
    }
  }
  testing::Caller Ann() { return h_.As("ann@lab.org"); }
  testing::Caller Bob() { return h_.As("bob@lab.org"); }
  Harness h_;
};

TEST_F(NotificationsTest, ARuleIsMadeReadChangedAndDeleted) {
  Response made = Ann().Post(kRules, Webhook("bot"));
  ASSERT_EQ(made.status, 201) << made.body;
  std::string path = fmt::format("{}/{}", kRules, IdOf(made));
  EXPECT_EQ(made.Json().at("userName").as_string(), "ann@lab.org");
  Response changed = Ann().Put(path, R"({"name":"robot","events":["Running","Failed"],)"
                                     R"("channel":"webhook","enabled":false})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.Json().at("target").as_string(), "https://ci.lab.org/hook?…");
  EXPECT_TRUE(changed.Json().at("signed").as_bool());
  EXPECT_THAT(Ann().Get(kRules).body, HasSubstr("robot"));
  EXPECT_EQ(Ann().Delete(path).status, 204);
  EXPECT_EQ(Ann().Get(path).status, 404);
}

TEST_F(NotificationsTest, SecretsAreNeverShownNorInTheAuditLog) {
  Response made = Ann().Post(kRules, Webhook("bot"));
  Ann().Post(kRules, R"({"name":"s","events":["Failed"],"channel":"slack",)"
                     R"("target":"https://hooks.slack.com/services/hush"})");
  for (const std::string& body :
       {made.body, Ann().Get(kRules).body, h_.Admin().Get("/api/v1/audit/log?limit=100").body}) {
    EXPECT_THAT(body, Not(HasSubstr("hush")));
    EXPECT_THAT(body, Not(HasSubstr("top-secret")));
  }
}

TEST_F(NotificationsTest, ATargetThatIsSentBackAsShownStaysWhatItWas) {
  Response made = Ann().Post(kRules, Webhook("bot"));
  NotifyRuleId id{*ParseUuid(IdOf(made))};
  std::string sealed = h_.state()->Find<NotifyRule>(id)->sealed_url;
  Response r = Ann().Put(fmt::format("{}/{}", kRules, IdOf(made)),
                         R"({"name":"bot","events":["Failed"],"channel":"webhook",)"
                         R"("target":"https://ci.lab.org/hook?…"})");
  ASSERT_EQ(r.status, 200) << r.body;
  EXPECT_EQ(h_.state()->Find<NotifyRule>(id)->sealed_url, sealed);
}

TEST_F(NotificationsTest, WhatIsWrongWithARuleIsSaid) {
  EXPECT_EQ(Ann().Post(kRules, Webhook("bot")).status, 201);
  EXPECT_EQ(Ann().Post(kRules, Webhook("bot")).status, 409);
  auto refused = [&](std::string_view rest) {
    return Ann().Post(kRules, fmt::format(R"({{"name":"x","events":["Failed"],{}}})", rest)).status;
  };
  EXPECT_EQ(refused(R"("channel":"webhook","target":"https://a/","secret":"short")"), 400);
  EXPECT_EQ(refused(R"("channel":"webhook","target":"https://a/")"), 400);
  EXPECT_EQ(refused(R"("channel":"slack","target":"file:///etc/passwd")"), 400);
  EXPECT_EQ(refused(R"("channel":"email","target":"a@b.org>\r\nRCPT TO:<x@y")"), 400);
  EXPECT_EQ(refused(R"("channel":"pigeon","target":"x@y.org")"), 400);
  EXPECT_EQ(Ann().Post(kRules, R"({"name":"x","events":[],"channel":"email"})").status, 400);
}

TEST_F(NotificationsTest, AMailWithoutAnAddressGoesToItsOwner) {
  Response r = Ann().Post(kRules, R"({"name":"me","events":["Failed"],"channel":"email"})");
  ASSERT_EQ(r.status, 201) << r.body;
  EXPECT_EQ(r.Json().at("target").as_string(), "ann@lab.org");
}

TEST_F(NotificationsTest, OthersRulesAreAsIfTheyWereNotThere) {
  std::string id = IdOf(Ann().Post(kRules, Webhook("bot")));
  std::string path = fmt::format("{}/{}", kRules, id);
  for (testing::Caller caller : {Bob(), h_.Admin()}) {
    EXPECT_EQ(caller.Get(kRules).body, "[]");
    EXPECT_EQ(caller.Get(path).status, 404);
    EXPECT_EQ(caller.Put(path, Webhook("mine")).status, 404);
    EXPECT_EQ(caller.Delete(path).status, 404);
    EXPECT_EQ(caller.Post(path + "/test").status, 404);
    EXPECT_EQ(caller.Get("/api/v1/notifications/deliveries?ruleId=" + id).status, 404);
  }
}

TEST_F(NotificationsTest, OnlyAnAdministratorsTargetMayBePrivate) {
  auto may = [&](const Response& r) {
    return h_.state()->Find<NotifyRule>(NotifyRuleId{*ParseUuid(IdOf(r))})->private_allowed;
  };
  h_.Admin().Post("/api/v1/users", R"({"email":"root@lab.org"})");
  h_.Grant("root@lab.org", "System administrator");
  EXPECT_FALSE(may(Ann().Post(kRules, Webhook("bot"))));
  Response made = h_.As("root@lab.org").Post(kRules, Webhook("bot"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_TRUE(may(made));
}

TEST_F(NotificationsTest, APersonsRulesGoWithThem) {
  Ann().Post(kRules, Webhook("bot"));
  std::string user = FormatUuid(h_.state()->UserByEmail("ann@lab.org")->id.value);
  EXPECT_EQ(h_.Admin().Delete("/api/v1/users/" + user).status, 204);
  EXPECT_TRUE(h_.state()->Of<NotifyRule>().empty());
}

// The routes about a project's rule, against every predefined role, in scope and out of it.
TEST(NotificationsAuthorization, AProjectsRulesAreForThoseWhoMayChangeTheProject) {
  World world;
  std::string body = Webhook("team", fmt::format(R"(,"projectId":"{}")", world.ours().project));
  const Role& all = control::PredefinedRoles().front();
  auto root = world.harness().As(World::CallerAt(all, Position::kTenant));
  Response made = root.Post(kRules, body);
  ASSERT_EQ(made.status, 201) << made.body;
  std::string path = fmt::format("{}/{}", kRules, IdOf(made));
  std::string log = "/api/v1/notifications/deliveries?ruleId=" + IdOf(made);
  int allowed = 0;
  for (const Role& role : control::PredefinedRoles()) {
    auto found = role.permissions.find(Resource::kProject);
    bool permitted = found != role.permissions.end() && found->second.Has(Action::kUpdate);
    for (Position position : testing::kPositions) {
      bool may = permitted && testing::Reaches(position, testing::Judged::kProject);
      allowed += may;
      auto caller = world.harness().As(World::CallerAt(role, position));
      std::string who = fmt::format("{} at {}", role.name, Name(position));
      EXPECT_EQ(caller.Get(path).status, may ? 200 : 403) << who;
      EXPECT_EQ(caller.Put(path, body).status, may ? 200 : 403) << who;
      // The tests' server sends nothing: who may is told so.
      EXPECT_EQ(caller.Post(path + "/test").status, may ? 503 : 403) << who;
      EXPECT_EQ(caller.Get(log).status, may ? 200 : 403) << who;
      EXPECT_EQ(caller.Get(kRules).body.contains("team"), may) << who;
      Response own = caller.Post(
          kRules, Webhook(who, fmt::format(R"(,"projectId":"{}")", world.ours().project)));
      EXPECT_EQ(own.status, may ? 201 : 403) << who << own.body;
      std::string mine = may ? fmt::format("{}/{}", kRules, IdOf(own)) : path;
      EXPECT_EQ(caller.Delete(mine).status, may ? 204 : 403) << who;
      EXPECT_EQ(caller.Get("/api/v1/notifications/channels").status, 200) << who;
    }
  }
  EXPECT_GT(allowed, 4);
}

}  // namespace
}  // namespace yard::api

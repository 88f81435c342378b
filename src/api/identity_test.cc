#include "serve/auth/identity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::kAdmin;
using testing::Response;

std::string Text(const Response& response, std::string_view key) {
  json::value value = response.Json();
  const json::value* found = value.as_object().if_contains(key);
  return found && found->is_string() ? std::string(found->as_string()) : "";
}

class SignInTest : public ::testing::Test {
 protected:
  struct Account {
    std::string id;
    std::string password;
  };
  Account MakeUser(std::string email) {
    Response r = h_.Admin().Post("/api/v1/users", fmt::format(R"({{"email":"{}"}})", email));
    EXPECT_EQ(r.status, 201) << r.body;
    return {Text(r, "id"), Text(r, "tempPassword")};
  }
  Response SignIn(std::string email, std::string password) {
    return h_.Nobody().Post(
        "/api/v1/token",
        fmt::format(R"({{"grantType":"password","username":"{}","password":"{}"}})", email,
                    password));
  }
  Response Renew(const std::string& refresh) {
    return h_.Nobody().Post(
        "/api/v1/token",
        fmt::format(R"({{"grantType":"refresh_token","refreshToken":"{}"}})", refresh));
  }
  Response SignInApp(std::string body) { return h_.Nobody().Post("/api/v1/token", body); }
  // Signs in and changes the temporary password; gives the new session's token.
  std::string Settle(const std::string& email, const Account& account) {
    std::string token = Text(SignIn(email, account.password), "accessToken");
    Response r = h_.Bearing(token).Post(
        "/api/v1/me/password",
        fmt::format(R"({{"currentPassword":"{}","newPassword":"a new password"}})",
                    account.password));
    EXPECT_EQ(r.status, 200) << r.body;
    return Text(r, "accessToken");
  }

  Harness h_;
};

TEST_F(SignInTest, ATemporaryPasswordMustBeChangedBeforeAnythingElse) {
  Account ann = MakeUser("ann@lab.org");
  h_.Grant("ann@lab.org", "L1 researcher");
  std::string token = Text(SignIn("Ann@Lab.org", ann.password), "accessToken");
  ASSERT_FALSE(token.empty());
  Response refused = h_.Bearing(token).Get("/api/v1/org-unit/projects");
  EXPECT_EQ(refused.status, 403);
  EXPECT_NE(refused.body.find("/api/v1/me/password"), std::string::npos);
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 200);
  std::string fresh = Settle("ann@lab.org", ann);
  EXPECT_EQ(h_.Bearing(fresh).Get("/api/v1/org-unit/projects").status, 200);
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 401);
  EXPECT_EQ(SignIn("ann@lab.org", ann.password).status, 401);
  EXPECT_EQ(SignIn("ann@lab.org", "a new password").status, 200);
}

TEST_F(SignInTest, SigningAUserOutEndsEverySession) {
  Account ann = MakeUser("ann@lab.org");
  std::string token = Settle("ann@lab.org", ann);
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 200);
  EXPECT_EQ(h_.Admin().Post("/api/v1/users/" + ann.id + "/logout").status, 200);
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 401);
}

TEST_F(SignInTest, ADeletedUserIsOutAtOnce) {
  Account ann = MakeUser("ann@lab.org");
  std::string token = Settle("ann@lab.org", ann);
  EXPECT_EQ(h_.Admin().Delete("/api/v1/users/" + ann.id).status, 204);
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 401);
}

TEST_F(SignInTest, AnExpiredTokenIsRefusedAndARefreshTokenGivesANewOne) {
  Account ann = MakeUser("ann@lab.org");
  Settle("ann@lab.org", ann);
  Response session = SignIn("ann@lab.org", "a new password");
  std::string token = Text(session, "accessToken");
  std::string refresh = Text(session, "refreshToken");
  EXPECT_EQ(h_.Bearing(refresh).Get("/api/v1/me").status, 401);
  h_.clock().Advance(Hours(2));
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 401);
  Response renewed = h_.Nobody().Post(
      "/api/v1/token",
      fmt::format(R"({{"grantType":"refresh_token","refreshToken":"{}"}})", refresh));
  ASSERT_EQ(renewed.status, 200) << renewed.body;
  EXPECT_EQ(h_.Bearing(Text(renewed, "accessToken")).Get("/api/v1/me").status, 200);
  h_.clock().Advance(Days(2));
  EXPECT_EQ(Renew(Text(renewed, "refreshToken")).status, 401) << "it is good for a day";
}

TEST_F(SignInTest, ARefreshTokenIsGoodOnceAndASecondUseEndsTheSession) {
  Account ann = MakeUser("ann@lab.org");
  Settle("ann@lab.org", ann);
  Response session = SignIn("ann@lab.org", "a new password");
  Response other = SignIn("ann@lab.org", "a new password");
  Response second = Renew(Text(session, "refreshToken"));
  ASSERT_EQ(second.status, 200) << second.body;
  EXPECT_EQ(Renew(Text(session, "refreshToken")).status, 401);
  EXPECT_EQ(h_.Bearing(Text(second, "accessToken")).Get("/api/v1/me").status, 401);
  EXPECT_EQ(Renew(Text(second, "refreshToken")).status, 401);
  EXPECT_EQ(h_.Bearing(Text(other, "accessToken")).Get("/api/v1/me").status, 200)
      << "another sign-in goes on";
}

TEST_F(SignInTest, ASessionEndsAfterAWeekHoweverOftenItIsRenewed) {
  Account ann = MakeUser("ann@lab.org");
  Settle("ann@lab.org", ann);
  Response session = SignIn("ann@lab.org", "a new password");
  int hours = 0;
  while (session.status == 200 && hours < 1000) {
    h_.clock().Advance(Hours(10));
    hours += 10;
    session = Renew(Text(session, "refreshToken"));
  }
  EXPECT_EQ(session.status, 401);
  EXPECT_EQ(hours, 170);
}

TEST_F(SignInTest, AnApplicationsRefreshTokenIsGoodOnceToo) {
  Response made = h_.Admin().Post("/api/v1/apps", R"({"name":"robot"})");
  Response session = SignInApp(
      fmt::format(R"({{"grantType":"client_credentials","clientId":"{}","clientSecret":"{}"}})",
                  Text(made, "clientId"), Text(made, "secret")));
  EXPECT_EQ(Renew(Text(session, "refreshToken")).status, 200);
  EXPECT_EQ(Renew(Text(session, "refreshToken")).status, 401);
}

TEST_F(SignInTest, OnesOwnSessionsAreListedAndEnded) {
  Account ann = MakeUser("ann@lab.org");
  std::string token = Settle("ann@lab.org", ann);
  std::string other = Text(SignIn("ann@lab.org", "a new password"), "accessToken");
  json::array sessions = h_.Bearing(token).Get("/api/v1/me/sessions").Json().as_array();
  ASSERT_EQ(sessions.size(), 2U);
  EXPECT_TRUE(sessions.at(0).at("current").as_bool());
  std::string second(sessions.at(1).at("id").as_string());
  MakeUser("bob@lab.org");
  EXPECT_EQ(h_.As("bob@lab.org").Delete("/api/v1/me/sessions/" + second).status, 404);
  EXPECT_EQ(h_.Bearing(token).Delete("/api/v1/me/sessions/" + second).status, 204);
  EXPECT_EQ(h_.Bearing(other).Get("/api/v1/me").status, 401);
  EXPECT_EQ(h_.Bearing(token).Delete("/api/v1/me/sessions/current").status, 204);
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 401);
}

// What acts as a user beside the sessions.
class ActingAsAnn : public SignInTest {
 protected:
  ActingAsAnn() {
    ann_ = MakeUser("ann@lab.org");
    session_ = Settle("ann@lab.org", ann_);
    personal_ =
        Text(h_.Bearing(session_).Post("/api/v1/me/tokens", R"({"name":"laptop"})"), "token");
    app_ = h_.Bearing(session_).Post("/api/v1/user-applications", R"({"name":"robot"})");
    app_token_ = Text(SignInApp(AppBody(Text(app_, "secret"))), "accessToken");
    EXPECT_EQ(Alive(), "session personal application");
  }
  std::string AppBody(const std::string& secret) {
    return fmt::format(R"({{"grantType":"app_token","appId":"{}","appSecret":"{}"}})",
                       Text(app_, "clientId"), secret);
  }
  std::string Alive() {
    std::string alive;
    auto look = [&](std::string_view name, const std::string& token) {
      if (h_.Bearing(token).Get("/api/v1/org-unit/projects").status != 401) {
        alive += (alive.empty() ? "" : " ") + std::string(name);
      }
    };
    look("session", session_);
    look("personal", personal_);
    look("application", app_token_);
    return alive;
  }

  Account ann_;
  std::string session_;
  std::string personal_;
  Response app_;
  std::string app_token_;
};

TEST_F(ActingAsAnn, EverythingEndsWithAReset) {
  EXPECT_EQ(h_.Admin().Post("/api/v1/users/" + ann_.id + "/password").status, 200);
  EXPECT_EQ(Alive(), "");
  EXPECT_EQ(SignInApp(AppBody(Text(app_, "secret"))).status, 401);
}

TEST_F(ActingAsAnn, EverythingEndsWhenAnAdministratorSignsTheUserOut) {
  EXPECT_EQ(h_.Admin().Post("/api/v1/users/" + ann_.id + "/logout").status, 200);
  EXPECT_EQ(Alive(), "");
  std::string fresh = Text(SignIn("ann@lab.org", "a new password"), "accessToken");
  Response secret =
      h_.Bearing(fresh).Post("/api/v1/user-applications/" + Text(app_, "id") + "/secret");
  EXPECT_EQ(SignInApp(AppBody(Text(secret, "secret"))).status, 200)
      << "a new secret is a new beginning";
}

TEST_F(ActingAsAnn, EverythingEndsWhenTheUserSignsOutEverywhere) {
  EXPECT_EQ(h_.Bearing(session_).Post("/api/v1/me/logout").status, 204);
  EXPECT_EQ(Alive(), "");
}

TEST_F(ActingAsAnn, AChangeOfOnesOwnPasswordEndsTheSessionsAlone) {
  Response changed = h_.Bearing(session_).Post(
      "/api/v1/me/password",
      R"({"currentPassword":"a new password","newPassword":"another one yet"})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(Alive(), "personal application");
}

TEST_F(ActingAsAnn, ATemporaryPasswordStopsTokensAndApplicationsToo) {
  h_.service().WriteAndWait(control::SystemPrincipal(), [](control::Txn& txn) -> Status {
    User user = *txn.state().UserByEmail("ann@lab.org");
    user.must_change_password = true;
    txn.Put(std::move(user));
    return {};
  });
  for (const std::string& token : {session_, personal_, app_token_}) {
    EXPECT_EQ(h_.Bearing(token).Get("/api/v1/user-applications").status, 403);
    EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 200);
  }
}

TEST_F(ActingAsAnn, AnAdministratorListsAndRevokesTokens) {
  std::string all = "/api/v1/administration/tokens";
  json::array tokens = h_.Admin().Get(all).Json().as_array();
  ASSERT_EQ(tokens.size(), 1U);
  EXPECT_EQ(tokens.at(0).at("createdBy").as_string(), "ann@lab.org");
  EXPECT_FALSE(tokens.at(0).as_object().contains("token"));
  std::string one = all + "/" + std::string(tokens.at(0).at("id").as_string());
  h_.Grant("ann@lab.org", "System administrator");
  h_.Grant("dadmin@lab.org", "Department administrator", Scope::Of(h_.MakeDepartment("alpha")));
  EXPECT_EQ(h_.As("dadmin@lab.org").Delete(one).status, 403) << "ann may do more";
  EXPECT_EQ(h_.Admin().Delete(one).status, 204);
  EXPECT_EQ(Alive(), "session application");
  EXPECT_EQ(h_.Admin().Delete(one).status, 404);
}

TEST_F(SignInTest, GuessingIsSlowedDownAndThenForgiven) {
  Account ann = MakeUser("ann@lab.org");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(SignIn("ann@lab.org", "wrong").status, 401);
  EXPECT_EQ(SignIn("ann@lab.org", ann.password).status, 429);
  h_.clock().Advance(Seconds(2));
  EXPECT_EQ(SignIn("ann@lab.org", ann.password).status, 200);
}

TEST_F(SignInTest, GuessingAtOneAddressLocksOutNobodyWhoHasSignedInThere) {
  Account ann = MakeUser("ann@lab.org");
  Settle("ann@lab.org", ann);
  for (int i = 0; i < 60; ++i) SignIn(fmt::format("guess{}@lab.org", i), "wrong");
  EXPECT_EQ(SignIn("stranger@lab.org", "wrong").status, 429);
  EXPECT_EQ(SignIn("ann@lab.org", "a new password").status, 200);
}

TEST_F(SignInTest, WrongSecretsOfApplicationsLockOutNeitherPeopleNorTheRightSecret) {
  Account ann = MakeUser("ann@lab.org");
  Response made = h_.Admin().Post("/api/v1/apps", R"({"name":"robot"})");
  auto body = [](std::string_view secret) {
    return fmt::format(R"({{"grantType":"app_token","AppId":"robot","AppSecret":"{}"}})", secret);
  };
  int refused = 0;
  for (int i = 0; i < 60; ++i) refused += SignInApp(body("wrong")).status == 429;
  EXPECT_GT(refused, 0);
  EXPECT_EQ(SignInApp(body(Text(made, "secret"))).status, 200);
  EXPECT_EQ(SignIn("ann@lab.org", ann.password).status, 200);
}

TEST_F(SignInTest, AnUnknownNameReadsLikeAWrongPassword) {
  MakeUser("ann@lab.org");
  Response known = SignIn("ann@lab.org", "wrong");
  Response unknown = SignIn("bob@lab.org", "wrong");
  EXPECT_EQ(unknown.status, 401);
  EXPECT_EQ(known.body, unknown.body);
}

TEST_F(SignInTest, AnApplicationSignsInHoweverItsKeysAreSpelt) {
  Response made = h_.Admin().Post("/api/v1/apps", R"({"name":"robot"})");
  ASSERT_EQ(made.status, 201) << made.body;
  std::string id = Text(made, "clientId");
  std::string secret = Text(made, "secret");
  for (const char* body :
       {R"({{"grantType":"app_token","AppId":"{}","AppSecret":"{}"}})",
        R"({{"grantType":"client_credentials","clientId":"{}","clientSecret":"{}"}})",
        R"({{"grantType":"app_token","appID":"{}","appSecret":"{}"}})"}) {
    Response r = SignInApp(fmt::format(fmt::runtime(body), id, secret));
    EXPECT_EQ(r.status, 200) << r.body;
    EXPECT_EQ(h_.Bearing(Text(r, "accessToken")).Get("/api/v1/me").status, 200);
  }
  EXPECT_EQ(SignInApp(fmt::format(R"({{"grantType":"app_token","AppId":"robot","AppSecret":"{}"}})",
                                  secret))
                .status,
            200);
  Response form =
      h_.Nobody().Post("/api/v2/token", "grant_type=client_credentials&client_id=" + id +
                                            "&client_secret=" + secret);
  EXPECT_FALSE(Text(form, "access_token").empty()) << form.body;
}

TEST_F(SignInTest, ADisabledApplicationIsOutAtOnceAndARotatedSecretEndsTheOldOne) {
  Response made = h_.Admin().Post("/api/v1/apps", R"({"name":"robot"})");
  std::string app = "/api/v1/apps/" + Text(made, "id");
  auto body = [&](std::string secret) {
    return fmt::format(R"({{"grantType":"app_token","AppId":"robot","AppSecret":"{}"}})", secret);
  };
  std::string first = Text(made, "secret");
  std::string token = Text(SignInApp(body(first)), "accessToken");
  std::string second = Text(h_.Admin().Post(app + "/secret"), "secret");
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 401);
  EXPECT_EQ(SignInApp(body(first)).status, 401);
  token = Text(SignInApp(body(second)), "accessToken");
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 200);
  EXPECT_EQ(h_.Admin().Patch(app, R"({"enabled":false})").status, 200);
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 401);
  EXPECT_EQ(SignInApp(body(second)).status, 401);
}

TEST_F(SignInTest, ARequestWithoutCredentialsIsToldWhatToSend) {
  Response r = SignInApp(R"({"grantType":"app_token","AppId":null,"AppSecret":null})");
  EXPECT_EQ(r.status, 401);
  EXPECT_NE(r.body.find("clientSecret"), std::string::npos);
  EXPECT_EQ(SignInApp(R"({"grantType":"dance"})").status, 400);
  EXPECT_EQ(SignInApp("{").status, 400);
}

TEST_F(SignInTest, APersonalTokenActsAsItsOwnerUntilItExpiresOrIsDeleted) {
  MakeUser("ann@lab.org");
  auto ann = h_.As("ann@lab.org");
  Response made = ann.Post("/api/v1/me/tokens", R"({"name":"laptop","days":2})");
  ASSERT_EQ(made.status, 201) << made.body;
  std::string token = Text(made, "token");
  EXPECT_EQ(Text(h_.Bearing(token).Get("/api/v1/me"), "username"), "ann@lab.org");
  EXPECT_EQ(ann.Post("/api/v1/me/tokens", R"({"name":"laptop"})").status, 409);
  h_.clock().Advance(Days(3));
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 401);
  std::string other = Text(ann.Post("/api/v1/me/tokens", R"({"name":"desk"})"), "token");
  EXPECT_EQ(h_.Bearing(other).Get("/api/v1/me").status, 200);
  EXPECT_EQ(ann.Delete("/api/v1/me/tokens/" + Text(made, "id")).status, 204);
  EXPECT_EQ(h_.Bearing(token).Get("/api/v1/me").status, 401);
}

TEST_F(SignInTest, TheSocketKnowsRootTheServerAndNamedAccounts) {
  Account ann = MakeUser("ann@lab.org");
  EXPECT_EQ(Text(h_.OnSocket(0).Get("/api/v1/me"), "username"), kAdmin);
  EXPECT_EQ(Text(h_.OnSocket(500).Get("/api/v1/me"), "username"), kAdmin);
  EXPECT_EQ(h_.OnSocket(1000).Get("/api/v1/me").status, 401);
  EXPECT_EQ(h_.Admin().Patch("/api/v1/users/" + ann.id, R"({"unixName":"ann"})").status, 200);
  EXPECT_EQ(Text(h_.OnSocket(1000).Get("/api/v1/me"), "username"), "ann@lab.org");
  EXPECT_EQ(h_.OnSocket(1001).Get("/api/v1/me").status, 401);
}

}  // namespace
}  // namespace yard::api

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
  EXPECT_EQ(
      h_.Nobody()
          .Post("/api/v1/token",
                fmt::format(R"({{"grantType":"refresh_token","refreshToken":"{}"}})", refresh))
          .status,
      401);
}

TEST_F(SignInTest, GuessingIsSlowedDownAndThenForgiven) {
  Account ann = MakeUser("ann@lab.org");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(SignIn("ann@lab.org", "wrong").status, 401);
  EXPECT_EQ(SignIn("ann@lab.org", ann.password).status, 429);
  h_.clock().Advance(Seconds(2));
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

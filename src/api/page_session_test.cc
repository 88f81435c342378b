#include "serve/page_session.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/live_site.h"

namespace yard::api {
namespace {

using ::testing::AllOf;
using testing::Caller;
using ::testing::ContainsRegex;
using testing::Harness;
using ::testing::HasSubstr;
using testing::kAdmin;
using ::testing::Not;
using testing::Response;

const std::string kKey(43, 'k');

std::string Find(const Response& response, std::string_view name) {
  for (const http::Header& header : response.headers) {
    if (header.first == name) return header.second;
  }
  return "";
}

// A page that is signed in as a user with a password of their own.
class Page : public ::testing::Test {
 protected:
  Page() {
    Response made = harness_.Admin().Post("/api/v1/users", R"({"email":"ann@lab.org"})");
    password_ = std::string(std::string_view(made.Json().at("tempPassword").as_string()));
    harness_.TokenOf("ann@lab.org");  // past the first change of the password
    harness_.Grant("ann@lab.org", "System administrator");
  }
  Response SignIn(std::vector<http::Header> headers = {{"gpuyard-page", kKey}}) {
    return Caller(harness_.server(), std::move(headers))
        .Post("/api/v1/token",
              fmt::format(R"({{"grantType":"password","username":"ann@lab.org","password":"{}"}})",
                          password_));
  }
  // "gpuyard_session=…" as a browser sends it.
  static std::string CookieOf(const Response& signed_in) {
    std::string set = Find(signed_in, "Set-Cookie");
    return set.substr(0, set.find(';'));
  }
  Response Me(std::vector<http::Header> headers) {
    return Caller(harness_.server(), std::move(headers)).Get("/api/v1/me");
  }

  Harness harness_;
  std::string password_;
};

// Three parts, of which the first begins so; the letters alone may stand in any random text.
constexpr const char* kToken = R"(eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.)";

TEST_F(Page, LearnsWhoItIsAndNoToken) {
  Response in = SignIn();
  ASSERT_EQ(in.status, 200) << in.body;
  EXPECT_THAT(in.body,
              AllOf(HasSubstr("ann@lab.org"), HasSubstr("expiresAt"), Not(ContainsRegex(kToken))));
  EXPECT_THAT(Find(in, "Set-Cookie"),
              AllOf(HasSubstr("gpuyard_session="), HasSubstr("; HttpOnly; SameSite=Strict"),
                    Not(ContainsRegex(kToken))));
}

TEST_F(Page, IsServedWithBothHalvesAndWithNeitherAlone) {
  std::string cookie = CookieOf(SignIn());
  EXPECT_EQ(Me({{"gpuyard-page", kKey}, {"cookie", cookie}}).status, 200);
  EXPECT_EQ(Me({{"cookie", cookie}}).status, 401);
  EXPECT_EQ(Me({{"gpuyard-page", kKey}}).status, 401);
  EXPECT_EQ(Me({{"gpuyard-page", std::string(43, 'x')}, {"cookie", cookie}}).status, 401);
  EXPECT_EQ(Me({{"authorization", "Bearer " + cookie.substr(cookie.find('=') + 1)}}).status, 401);
}

TEST_F(Page, IsNotMisledByACookieThatAnotherPortHasSet) {
  std::string cookie = CookieOf(SignIn());
  EXPECT_EQ(Me({{"gpuyard-page", kKey}, {"cookie", "gpuyard_session=evil; " + cookie}}).status,
            200);
}

TEST_F(Page, RenewsItsSessionWithoutSeeingTheToken) {
  std::string cookie = CookieOf(SignIn());
  harness_.clock().Advance(Minutes(70));
  std::vector<http::Header> both{{"gpuyard-page", kKey}, {"cookie", cookie}};
  EXPECT_EQ(Me(both).status, 401);
  Response renewed =
      Caller(harness_.server(), both).Post("/api/v1/token", R"({"grantType":"refresh_token"})");
  ASSERT_EQ(renewed.status, 200) << renewed.body;
  EXPECT_EQ(Me({{"gpuyard-page", kKey}, {"cookie", CookieOf(renewed)}}).status, 200);
}

TEST_F(Page, OfAnotherOriginIsRefusedWhateverItSends) {
  std::string cookie = CookieOf(SignIn());
  std::vector<http::Header> both{
      {"gpuyard-page", kKey}, {"cookie", cookie}, {"host", "yard.lab:8470"}};
  auto with = [&](http::Header more) {
    std::vector<http::Header> all = both;
    all.push_back(std::move(more));
    return Me(all).status;
  };
  EXPECT_EQ(with({"origin", "http://yard.lab:8470"}), 200);
  EXPECT_EQ(with({"origin", "http://yard.lab:8471"}), 403);
  EXPECT_EQ(with({"origin", "null"}), 403);
  EXPECT_EQ(with({"sec-fetch-site", "same-site"}), 403);
  harness_.addresses().dashboard.url = "https://gpus.example.org";
  EXPECT_EQ(with({"origin", "https://gpus.example.org"}), 200);
}

TEST_F(Page, GetsACookieForTlsOnlyWhereThereIsTls) {
  harness_.addresses().dashboard.url = "https://gpus.example.org";
  EXPECT_THAT(Find(SignIn(), "Set-Cookie"),
              AllOf(HasSubstr("__Host-gpuyard_session="), HasSubstr("; Secure")));
}

TEST_F(Page, OtherClientsGetTheirTokensAsEver) {
  EXPECT_THAT(SignIn({}).body, HasSubstr(R"({"accessToken":"eyJ)"));
}

TEST_F(Page, LosesItsCookieWhenItSignsOut) {
  Response ended = Caller(harness_.server(), {}).Delete("/api/v1/session");
  EXPECT_EQ(ended.status, 204);
  EXPECT_THAT(Find(ended, "Set-Cookie"), HasSubstr("gpuyard_session=; Path=/; HttpOnly"));
}

TEST(PageSockets, SpeakWithTheKeyAmongTheirProtocolsAndFromTheirOriginOnly) {
  testing::LiveSite site;
  std::string me = fmt::format("127.0.0.1:{}", site.port());
  std::vector<http::Header> admin{{"Authorization", "User " + std::string(kAdmin)}};
  auto opened = [&](http::Header origin) {
    std::vector<http::Header> headers = admin;
    headers.push_back(std::move(origin));
    return site.TryOpen("/exec?command=cat", headers).has_value();
  };
  EXPECT_TRUE(opened({"Origin", "http://" + me}));
  EXPECT_FALSE(opened({"Origin", "http://127.0.0.1:1"}));
}

}  // namespace
}  // namespace yard::api

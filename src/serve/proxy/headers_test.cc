#include "serve/proxy/headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::serve {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

http::Request Get(std::vector<http::Header> headers) {
  return {.target = "/vision/notebook/lab?x=1",
          .headers = std::move(headers),
          .peer_address = "10.0.0.7:4711",
          .id = "r1"};
}

std::string Header(const http::Reply& reply, std::string_view name) {
  for (const http::Header& header : reply.headers) {
    if (header.first == name) return header.second;
  }
  return "";
}

TEST(ToolRequests, KeepThePathAndWhatTheToolMaySee) {
  std::string bytes = *ToolRequest(Get({{"host", "gpu.lab"}, {"accept", "*/*"}}), "ann@lab.org");
  EXPECT_TRUE(bytes.starts_with("GET /vision/notebook/lab?x=1 HTTP/1.1\r\n")) << bytes;
  EXPECT_THAT(bytes, HasSubstr("\r\nhost: gpu.lab\r\n"));
  EXPECT_THAT(bytes, HasSubstr("\r\naccept: */*\r\n"));
  EXPECT_THAT(bytes, HasSubstr("\r\nx-forwarded-for: 10.0.0.7\r\n"));
  EXPECT_THAT(bytes, HasSubstr("\r\nx-forwarded-proto: http\r\n"));
  EXPECT_THAT(bytes, HasSubstr("\r\nx-forwarded-user: ann@lab.org\r\n"));
  EXPECT_THAT(bytes, HasSubstr("\r\nconnection: close\r\n"));
  EXPECT_TRUE(bytes.ends_with("\r\n\r\n"));
}

TEST(ToolRequests, CarryNoCredentialsOfOurs) {
  std::string bytes = *ToolRequest(Get({{"authorization", "Bearer secret"},
                                        {"cookie", "a=1; gpuyard_session=secret; b=2"},
                                        {"sec-websocket-protocol", "v1, bearer.secret"}}),
                                   "ann");
  EXPECT_THAT(bytes, Not(HasSubstr("secret")));
  EXPECT_THAT(bytes, HasSubstr("\r\ncookie: a=1; b=2\r\n"));
  EXPECT_THAT(bytes, HasSubstr("\r\nsec-websocket-protocol: v1\r\n"));
}

TEST(ToolRequests, DropWhatIsOfOneHopAndWhatOthersMadeUp) {
  std::string bytes = *ToolRequest(Get({{"connection", "keep-alive, X-Private"},
                                        {"x-private", "1"},
                                        {"te", "trailers"},
                                        {"proxy-authorization", "Basic x"},
                                        {"x-forwarded-user", "root"},
                                        {"x-forwarded-for", "6.6.6.6"}}),
                                   "ann");
  EXPECT_THAT(
      bytes, AllOf(Not(HasSubstr("x-private")), Not(HasSubstr("trailers")), Not(HasSubstr("Basic")),
                   Not(HasSubstr("root")), Not(HasSubstr("6.6.6.6"))));
}

TEST(ToolRequests, LeaveToUsWhoCallsFromWhere) {
  for (const char* name :
       {"x-webauth-user", "x-user", "x-username", "x-user-id", "x-email", "x-authenticated-user",
        "x-goog-authenticated-user-email", "remote-groups", "x-client-cert", "ssl-client-cert",
        "x-client-ip", "true-client-ip", "cf-connecting-ip", "x-cluster-client-ip", "client-ip",
        "x-original-host", "x_forwarded_user", "x-forwarded-groups", "x-ms-client-principal"}) {
    std::string bytes = *ToolRequest(Get({{name, "admin"}}), "ann");
    EXPECT_THAT(bytes, Not(HasSubstr("admin"))) << name;
  }
  for (const char* name : {"user-agent", "x-requested-with", "x-xsrftoken", "accept-language",
                           "sec-fetch-user", "origin", "x-jupyter-kernel"}) {
    EXPECT_THAT(*ToolRequest(Get({{name, "kept"}}), "ann"), HasSubstr("kept")) << name;
  }
}

TEST(ToolRequests, CarryTheBodyWithItsLength) {
  http::Request request = Get({{"content-length", "999"}});
  request.method = http::Method::kPost;
  request.body = "hello";
  std::string bytes = *ToolRequest(request, "ann");
  EXPECT_THAT(bytes, HasSubstr("\r\ncontent-length: 5\r\n"));
  EXPECT_TRUE(bytes.ends_with("\r\n\r\nhello"));
  request.method = http::Method::kOther;
  EXPECT_FALSE(ToolRequest(request, "ann").has_value());
}

TEST(ToolRequests, CannotForgeAHeader) {
  std::string bytes = *ToolRequest(Get({{"x-a", "1\r\nx-forwarded-user: root"}}), "a\r\nx-b: 1");
  EXPECT_THAT(bytes, Not(HasSubstr("\r\nx-b")));
  EXPECT_THAT(bytes, Not(HasSubstr("\r\nx-forwarded-user: root")));
}

TEST(ToolAnswers, KeepTheirHeadersButNotThoseOfTheTransport) {
  http::ResponseHead head{.status = 302,
                          .headers = {{"location", "/vision/notebook/tree"},
                                      {"content-type", "text/html"},
                                      {"content-length", "3"},
                                      {"transfer-encoding", "chunked"},
                                      {"connection", "x-own"},
                                      {"x-own", "1"}}};
  http::Reply reply = ReplyFromTool(head, "/vision/notebook");
  EXPECT_EQ(reply.status, 302);
  EXPECT_EQ(reply.content_type, "text/html");
  EXPECT_EQ(Header(reply, "location"), "/vision/notebook/tree");
  EXPECT_EQ(reply.headers.size(), 1U);
}

TEST(ToolAnswers, SayNothingForTheWholeSite) {
  http::ResponseHead head{.status = 200,
                          .headers = {{"service-worker-allowed", "/"},
                                      {"clear-site-data", "\"*\""},
                                      {"strict-transport-security", "max-age=31536000"},
                                      {"alt-svc", "h2=\"elsewhere:443\""},
                                      {"nel", "{}"},
                                      {"report-to", "{}"},
                                      {"x-own", "1"}}};
  http::Reply reply = ReplyFromTool(head, "/vision/notebook");
  ASSERT_EQ(reply.headers.size(), 1U);
  EXPECT_EQ(Header(reply, "x-own"), "1");
  EXPECT_THAT(UpgradeHead(head, "/vision/notebook"), Not(HasSubstr("clear-site-data")));
}

TEST(ToolAnswers, SetCookiesOnlyForTheirOwnPath) {
  auto cookie = [](std::string value) {
    http::ResponseHead head{.status = 200, .headers = {{"set-cookie", std::move(value)}}};
    return Header(ReplyFromTool(head, "/vision/notebook"), "set-cookie");
  };
  EXPECT_EQ(cookie("a=1; Path=/; HttpOnly"), "a=1; HttpOnly; Path=/vision/notebook");
  EXPECT_EQ(cookie("a=1"), "a=1; Path=/vision/notebook");
  EXPECT_EQ(cookie("a=1; path=/vision/notebook/lab; Domain=lab"), "a=1; Path=/vision/notebook/lab");
  EXPECT_EQ(cookie("a=1; Path=/vision/notebook2"), "a=1; Path=/vision/notebook");
  EXPECT_EQ(cookie("gpuyard_session=stolen; Path=/"), "");
  for (const char* odd : {";gpuyard_tools=x", " ; gpuyard_tools=x", "=gpuyard_tools=x", "",
                          "gpuyard_tools;x=1", " gpuyard_tools =x"})
    EXPECT_EQ(cookie(odd), "") << odd;
}

TEST(ToolCookies, AreHeldWithinTheToolAndHiddenFromScripts) {
  EXPECT_EQ(ToolCookie("t", "/p/w", Transport::kPlain),
            "gpuyard_tools=t; Path=/p/w; HttpOnly; SameSite=Lax; Max-Age=3600");
  EXPECT_THAT(ToolCookie("t", "/p/w", Transport::kSecure), HasSubstr("; Secure"));
}

TEST(ToolCookies, AreAllLookedAt) {
  EXPECT_THAT(ToolTicketsOf(Get({{"cookie", "a=1; gpuyard_tools=x=y ;b=2; gpuyard_tools=z"}})),
              ElementsAre("x=y", "z"));
  EXPECT_TRUE(ToolTicketsOf(Get({{"cookie", "xgpuyard_tools=1"}})).empty());
}

TEST(ToolRequests, CarryNoCookieOfOurs) {
  std::string sent = *ToolRequest(
      Get({{"cookie", "gpuyard_session=a; own=1; __Host-gpuyard_session=b; gpuyard_tools=c"}}),
      "me");
  EXPECT_THAT(sent, HasSubstr("cookie: own=1\r\n"));
  EXPECT_THAT(sent, Not(HasSubstr("gpuyard_")));
}

TEST(ToolRequests, CarryNothingThatPassesForWhatWeSay) {
  for (std::string name :
       {"x_forwarded_user", "x-forwarded_user", "x-forwarded-email", "remote-user", "x-remote-user",
        "gpuyard-page", "forwarded", "x-real-ip", "some_thing"}) {
    std::string sent = *ToolRequest(Get({{name, "root@lab.org"}}), "me");
    EXPECT_THAT(sent, Not(HasSubstr("root@lab.org"))) << name;
  }
  EXPECT_THAT(*ToolRequest(Get({{"x-xsrftoken", "1"}}), "me"), HasSubstr("x-xsrftoken: 1"));
}

}  // namespace
}  // namespace yard::serve

#include "serve/static_files.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using ::testing::HasSubstr;

constexpr std::array kFiles{
    web::File{"/assets/app-DiwrgTda.js", "text/javascript", "plain js", "gz", "br", "0011",
              web::Lifetime::kForever},
    web::File{"/favicon.svg", "image/svg+xml", "<svg/>", "", "", "0022"},
    web::File{"/index.html", "text/html; charset=utf-8", "the page", "gzipped page", "", "0033"},
};

std::optional<http::Reply> Get(std::string target, std::vector<http::Header> headers = {}) {
  return serve::StaticReply({.target = std::move(target), .headers = std::move(headers)}, kFiles);
}

std::string Header(const http::Reply& reply, std::string_view name) {
  for (const http::Header& header : reply.headers) {
    if (header.first == name) return header.second;
  }
  return "";
}

TEST(Dashboard, ServesItsFilesByName) {
  auto reply = Get("/favicon.svg?x=1");
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->body, "<svg/>");
  EXPECT_EQ(reply->content_type, "image/svg+xml");
  EXPECT_EQ(Header(*reply, "Cache-Control"), "no-cache");
  EXPECT_EQ(Header(*reply, "X-Content-Type-Options"), "nosniff");
}

TEST(Dashboard, LetsHashedNamesBeKeptForever) {
  EXPECT_THAT(Header(*Get("/assets/app-DiwrgTda.js"), "Cache-Control"), HasSubstr("immutable"));
}

TEST(Dashboard, SendsTheShortestEncodingTheBrowserTakes) {
  std::string target = "/assets/app-DiwrgTda.js";
  EXPECT_EQ(Get(target)->body, "plain js");
  EXPECT_EQ(Get(target, {{"accept-encoding", "gzip, deflate, br"}})->body, "br");
  auto gzip = Get(target, {{"accept-encoding", "gzip"}});
  EXPECT_EQ(gzip->body, "gz");
  EXPECT_EQ(Header(*gzip, "Content-Encoding"), "gzip");
  EXPECT_EQ(Get(target, {{"accept-encoding", "br;q=0, gzip;q=0"}})->body, "plain js");
  EXPECT_EQ(Get("/favicon.svg", {{"accept-encoding", "gzip, br"}})->body, "<svg/>");
}

TEST(Dashboard, SendsNothingThatTheBrowserHas) {
  auto reply = Get("/favicon.svg", {{"if-none-match", "W/\"9\", W/\"0022\""}});
  EXPECT_EQ(reply->status, 304);
  EXPECT_EQ(reply->body, "");
  EXPECT_EQ(Get("/favicon.svg", {{"if-none-match", "W/\"old\""}})->status, 200);
}

TEST(Dashboard, FindsItsOwnWayFromAnyPath) {
  for (std::string path : {"/", "/my-work", "/workloads/4711", "/a/b/c"}) {
    auto reply = Get(path, {{"accept", "text/html,application/xhtml+xml,*/*;q=0.8"}});
    ASSERT_TRUE(reply.has_value()) << path;
    EXPECT_EQ(reply->body, "the page") << path;
    EXPECT_THAT(Header(*reply, "Content-Security-Policy"), HasSubstr("frame-ancestors 'none'"));
    EXPECT_THAT(Header(*reply, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
  }
}

TEST(Dashboard, NamesItsFilesFromThePageSinceAProxyMayHavePutItBelowAPath) {
  constexpr std::array kPage{web::File{"/index.html", "text/html",
                                       R"(<link href="/favicon.svg"><script src="/assets/a.js">)",
                                       "gz", "br", "0044"}};
  auto page = [&](std::string path) {
    http::Request request{.target = std::move(path),
                          .headers = {{"accept", "text/html"}, {"accept-encoding", "br"}}};
    std::optional<http::Reply> reply = serve::StaticReply(request, kPage);
    return reply ? reply->body : "nothing";
  };
  EXPECT_EQ(page("/"), R"(<link href="./favicon.svg"><script src="./assets/a.js">)");
  EXPECT_EQ(page("/my-work?a=/b/c"), page("/"));
  EXPECT_THAT(page("/workloads/4711"), HasSubstr(R"(src="./../assets/a.js")"));
  EXPECT_THAT(page("/a/b/c/"), HasSubstr(R"(src="./../../../assets/a.js")"));
}

TEST(Dashboard, LeavesTheApiAlone) {
  for (std::string path : {"/api", "/api/v1/nothing", "/v1/x", "/missing.js", "/assets/x.css",
                           "/../etc/passwd.txt", "/%2e%2e/x.png"}) {
    EXPECT_FALSE(Get(path).has_value()) << path;
  }
  EXPECT_TRUE(Get("/apiary", {{"accept", "text/html"}}).has_value());
  EXPECT_FALSE(
      serve::StaticReply({.method = http::Method::kPost, .target = "/"}, kFiles).has_value());
}

TEST(Dashboard, IsNoAnswerToAProgram) {
  EXPECT_FALSE(Get("/apis", {{"accept", "application/json, */*"}}).has_value());
  EXPECT_FALSE(Get("/queue/management/tasks", {{"accept", "*/*"}}).has_value());
  EXPECT_FALSE(Get("/queue/management/tasks").has_value());
  EXPECT_TRUE(Get("/").has_value());
}

TEST(Dashboard, IsServedToAnybodyButTheApiStillSaysWhatIsMissing) {
  testing::Harness harness;
  testing::Response page = harness.Nobody().Get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("Gpuyard"));
  EXPECT_EQ(harness.Nobody().Get("/api/v1/nothing").status, 404);
  EXPECT_EQ(harness.Nobody().Post("/my-work").status, 404);
}

}  // namespace
}  // namespace yard::api

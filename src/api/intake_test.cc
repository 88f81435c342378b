#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/testing/live_site.h"
#include "api/testing/plain_client.h"
#include "http/gzip.h"

namespace yard::api::testing {
namespace {

constexpr std::string_view kProjects = "/api/v1/org-unit/projects";
const std::string kAsAdmin = fmt::format("Authorization: User {}\r\n", kAdmin);

std::string Head(std::string_view path, std::size_t length, std::string_view more = "") {
  return fmt::format("POST {} HTTP/1.1\r\nHost: h\r\n{}Content-Length: {}\r\n\r\n", path, more,
                     length);
}

int StatusOf(LiveSite& site, const std::string& request) {
  return PlainClient(site.port()).Send(request).status;
}

TEST(Intake, AsksWhoItIsBeforeTheBodyArrives) {
  LiveSite site;
  EXPECT_EQ(StatusOf(site, Head(kProjects, 8'000'000)), 401);
  EXPECT_EQ(StatusOf(site, Head(kProjects, 8'000'000, "Authorization: Bearer junk\r\n")), 401);
  EXPECT_EQ(StatusOf(site, Head("/vision/notebook/api", 8'000'000)), 413);
}

TEST(Intake, IsSmallAndPlainOnPublicRoutes) {
  LiveSite site;
  std::string sign_in = R"({"grantType":"password","username":"a@b.c","password":"x"})";
  std::string compressed = http::Gzipper().Compress(sign_in);
  EXPECT_EQ(StatusOf(site, Head("/api/v1/token", sign_in.size()) + sign_in), 401);
  EXPECT_EQ(StatusOf(site, Head("/api/v1/token", compressed.size(), "Content-Encoding: gzip\r\n") +
                               compressed),
            415);
  EXPECT_EQ(StatusOf(site, Head("/api/v1/token", 16 * 1024 + 1)), 413);
  EXPECT_EQ(StatusOf(site, Head("/nothing/here", 16 * 1024 + 1)), 413);
}

TEST(Intake, TakesLargeAndCompressedBodiesOfThoseWhoAreSignedIn) {
  LiveSite site;
  std::string body = fmt::format(R"({{"name":"{}"}})", std::string(100'000, 'x'));
  std::string compressed = http::Gzipper().Compress(body);
  EXPECT_EQ(StatusOf(site, Head(kProjects, body.size(), kAsAdmin) + body), 400);
  std::string headers = kAsAdmin + "Content-Encoding: gzip\r\n";
  EXPECT_EQ(StatusOf(site, Head(kProjects, compressed.size(), headers) + compressed), 400);
}

TEST(Intake, CountsTheValuesOfABody) {
  LiveSite site;
  std::string body = "[{}";
  for (int i = 0; i < 100'000; ++i) body += ",{}";
  body += "]";
  EXPECT_EQ(StatusOf(site, Head(kProjects, body.size(), kAsAdmin) + body), 413);
}

}  // namespace
}  // namespace yard::api::testing

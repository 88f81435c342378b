#include "serve/router.h"

#include <gtest/gtest.h>

namespace yard::serve {
namespace {

const std::vector<Route>& Table() {
  static const std::vector<Route> routes{
      {http::Method::kGet, "/files/{path...}", Public(), nullptr, "A file"},
      {http::Method::kGet, "/files", Public(), nullptr, "All files"},
      {http::Method::kGet, "/in/{room}/files/{path...}", Public(), nullptr, "A file of a room"}};
  return routes;
}

TEST(Router, TheRestOfAPathIsOneParameter) {
  Router router(Table());
  Match match = router.Find(http::Method::kGet, "/files/a/b%20c/d.txt");
  ASSERT_NE(match.route, nullptr);
  ASSERT_EQ(match.parameters.size(), 1U);
  EXPECT_EQ(match.parameters[0].first, "path");
  EXPECT_EQ(match.parameters[0].second, "a/b c/d.txt");
}

TEST(Router, AParameterMayStandBeforeTheRest) {
  Router router(Table());
  Match match = router.Find(http::Method::kGet, "/in/lab/files/x/y");
  ASSERT_NE(match.route, nullptr);
  ASSERT_EQ(match.parameters.size(), 2U);
  EXPECT_EQ(match.parameters[0].second, "lab");
  EXPECT_EQ(match.parameters[1].second, "x/y");
}

TEST(Router, TheRestIsNotEmpty) {
  Router router(Table());
  EXPECT_EQ(router.Find(http::Method::kGet, "/files/").route, &Table()[1]);
  EXPECT_EQ(router.Find(http::Method::kGet, "/in/lab/files").route, nullptr);
}

}  // namespace
}  // namespace yard::serve

// Every route against every predefined role, in scope and out of it.
//
// The routes come from the table that the server serves, so a new one is covered without a line
// here or fails as one that the world must learn about. Where a role is granted, and what a route
// is about, always exists: nothing is refused because it is not there.
#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "api/testing/authorization_rules.h"
#include "api/testing/authorization_world.h"
#include "api/testing/harness.h"
#include "control/commands/roles_predefined.h"

namespace yard::api {
namespace {

using testing::IsList;
using testing::Judged;
using testing::JudgedOf;
using testing::kPositions;
using testing::Position;
using testing::Request;
using testing::Response;
using testing::World;

bool Allows(const Role& role, const Need& need) {
  auto found = role.permissions.find(need.resource);
  return found != role.permissions.end() && found->second.Has(need.action);
}

// Several at once: each is refused on its own, and the answer says so.
bool IsBatch(const Route& route) {
  return route.request == "WorkloadBatch" || route.request == "WorkloadOrders";
}

struct Case {
  const Route& route;
  const Role& role;
  Position position;
  Judged judged;

  bool Permitted() const { return Allows(role, route.need); }
  bool InReach() const { return testing::Reaches(position, judged); }
  bool Listing() const { return IsList(route, judged); }
};

std::string Describe(const Case& one, const Response& r) {
  return fmt::format("{} at {}: {} {}: {} {}", one.role.name, Name(one.position),
                     MethodName(one.route.method), one.route.path, r.status, r.body.substr(0, 300));
}

void ExpectListed(const World& world, const Case& one, const Response& r) {
  EXPECT_EQ(r.status, one.route.status) << Describe(one, r);
  if (!testing::ShowsNames(one.route)) return;
  std::string trace = world.TraceOf(r.body, one.judged);
  if (one.InReach()) {
    EXPECT_NE(trace, "") << "should be listed: " << Describe(one, r);
  } else {
    EXPECT_EQ(trace, "") << "should be hidden: " << Describe(one, r);
  }
}

void ExpectBatchRefused(const Case& one, const Response& r) {
  ASSERT_EQ(r.status, one.route.status) << Describe(one, r);
  const json::value answer = r.Json();
  EXPECT_TRUE(answer.at("succeeded").as_array().empty()) << Describe(one, r);
  EXPECT_EQ(answer.at("failed").at(0).at("code"), 403) << Describe(one, r);
}

void Check(World& world, const Case& one) {
  std::optional<Request> request = world.RequestFor(one.route);
  ASSERT_TRUE(request.has_value()) << "add this route to the world: " << one.route.path;
  Response r = world.harness()
                   .As(World::CallerAt(one.role, one.position))
                   .Send(one.route.method, request->target, request->body);
  if (!one.Permitted()) {
    EXPECT_EQ(r.status, 403) << Describe(one, r);
  } else if (one.Listing()) {
    ExpectListed(world, one, r);
  } else if (one.InReach()) {
    EXPECT_EQ(r.status, testing::AllowedStatus(one.route)) << Describe(one, r);
    bool whole = !IsBatch(one.route) || r.body.contains(R"("failed":[])");
    EXPECT_TRUE(whole) << Describe(one, r);
  } else if (IsBatch(one.route)) {
    ExpectBatchRefused(one, r);
  } else {
    EXPECT_EQ(r.status, 403) << Describe(one, r);
  }
  bool done = one.Permitted() && one.InReach() && r.status < 300;
  if (done) world.Spend(one.route);
}

// The routes that need a permission, each with how it is judged.
std::vector<std::pair<const Route*, Judged>> JudgedRoutes() {
  std::vector<std::pair<const Route*, Judged>> routes;
  for (const Route& route : AllRoutes()) {
    if (!NeedsCheck(route.need)) continue;
    std::optional<Judged> judged = JudgedOf(route);
    EXPECT_TRUE(judged.has_value())
        << "add this route to the world: its resource has no rule: " << MethodName(route.method)
        << " " << route.path;
    if (judged) routes.emplace_back(&route, *judged);
  }
  return routes;
}

TEST(Authorization, EveryRouteAnswersEveryRoleAsItsRuleSaysInScopeAndOutOfIt) {
  World world;
  auto routes = JudgedRoutes();
  std::size_t cases = 0;
  for (const Role& role : control::PredefinedRoles()) {
    for (Position position : kPositions) {
      for (const auto& [route, judged] : routes) {
        Check(world, {*route, role, position, judged});
        ++cases;
      }
    }
  }
  std::cout << fmt::format("{} cases: {} routes x {} roles x {} places of the grant\n", cases,
                           routes.size(), control::PredefinedRoles().size(), kPositions.size());
  EXPECT_EQ(cases, routes.size() * 15 * 6);
}

// Every list as somebody with every permission sees it from there.
std::map<std::string, std::string> ListsFrom(World& world, Position position) {
  std::map<std::string, std::string> lists;
  const Role& role = control::PredefinedRoles().front();
  for (const auto& [route, judged] : JudgedRoutes()) {
    if (!IsList(*route, judged) || testing::Reaches(position, judged)) continue;
    std::optional<Request> request = world.RequestFor(*route);
    EXPECT_TRUE(request.has_value()) << "add this route to the world: " << route->path;
    if (!request) continue;
    lists[request->target] =
        world.harness().As(World::CallerAt(role, position)).Get(request->target).body;
  }
  return lists;
}

TEST(Authorization, NothingThatHappensOutOfReachChangesAListOrACount) {
  World world;
  auto beside = ListsFrom(world, Position::kNextDoor);
  auto far_away = ListsFrom(world, Position::kFarAway);
  EXPECT_GT(beside.size(), 20U);
  world.GrowProject();
  EXPECT_EQ(beside, ListsFrom(world, Position::kNextDoor));
  world.GrowCluster();
  EXPECT_EQ(far_away, ListsFrom(world, Position::kFarAway));
}

TEST(Authorization, WithoutCredentialsOnlyPublicRoutesAnswer) {
  testing::Harness harness;
  for (const Route& route : AllRoutes()) {
    if (route.need.kind == Need::Kind::kPublic) continue;
    std::string path(route.path);
    std::erase_if(path, [](char c) { return c == '{' || c == '}'; });
    Response r = harness.Nobody().Send(route.method, path, "{}");
    EXPECT_EQ(r.status, 401) << MethodName(route.method) << " " << route.path << ": " << r.body;
  }
}

TEST(Authorization, EveryRouteStatesWhatItNeedsAndWhatItIs) {
  for (const Route& route : AllRoutes()) {
    EXPECT_FALSE(route.summary.empty()) << route.path;
    EXPECT_TRUE(route.handler != nullptr) << route.path;
  }
}

}  // namespace
}  // namespace yard::api

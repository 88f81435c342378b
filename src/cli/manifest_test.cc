#include "cli/manifest.h"

#include <gtest/gtest.h>
#include <boost/json/parse.hpp>

#include "cli/applier.h"
#include "cli/exit_code.h"
#include "cli/kinds.h"
#include "cli/profile.h"
#include "cli/resolver.h"

namespace yard::cli {
namespace {

std::string Refusal(std::string_view yaml) {
  Result<std::vector<Manifest>> manifests = ReadManifests(yaml);
  return manifests ? "accepted" : manifests.error().message;
}

TEST(Manifest, AKindMaySpellItselfInSeveralWays) {
  for (const char* kind : {"NodePool", "node-pool", "nodepool"}) {
    auto manifests = ReadManifests(std::string("kind: ") + kind + "\nname: a100\n");
    ASSERT_TRUE(manifests.has_value()) << manifests.error().message;
    EXPECT_EQ(manifests->front().kind(), "NodePool");
    EXPECT_EQ(manifests->front().name(), "a100");
  }
}

TEST(Manifest, UnknownWordsNameTheNearestAndTheLine) {
  EXPECT_EQ(Refusal("kind: Projct\nname: a\n"),
            "line 1: there is no kind 'Projct'; did you mean 'Project'?");
  EXPECT_EQ(Refusal("kind: Project\nname: a\nspecs: {}\n"),
            "line 3: 'specs' is not known here; did you mean 'spec'?");
  EXPECT_EQ(Refusal("kind: Project\nmetadata:\n  name: a\n  departmnt: b\n"),
            "line 4: metadata.departmnt is not known for Project; did you mean 'department'?");
}

TEST(Manifest, AQuotaWithoutAPoolIsForTheDefaultPool) {
  auto manifests =
      ReadManifests("kind: Project\nname: a\nspec:\n  resources:\n    - gpu: {deserved: 2}\n");
  ASSERT_TRUE(manifests) << manifests.error().message;
  Resolver blind;
  auto body = ApplierOf(manifests->front()).body(blind, manifests->front());
  ASSERT_TRUE(body);
  const json::value& quota = body->at("resources").at(0);
  EXPECT_EQ(quota.at("nodePool").at("name"), "default");
  EXPECT_EQ(quota.at("gpu").at("deserved"), 2);
}

TEST(Manifest, ANameIsNeededExceptByAccessRules) {
  EXPECT_EQ(Refusal("kind: Project\n"), "line 1: the Project has no name");
  EXPECT_EQ(Refusal("kind: AccessRule\nspec: {role: x}\n"), "accepted");
}

TEST(Manifest, NodePoolsAreNamedInQuotas) {
  auto manifests = ReadManifests(
      "kind: Department\nname: d\nspec: {resources: [{nodePool: fast, gpu: {deserved: 1}}]}\n");
  ASSERT_TRUE(manifests.has_value());
  Resolver blind;
  auto body = ApplierOf(manifests->front()).body(blind, manifests->front());
  ASSERT_TRUE(body.has_value());
  EXPECT_EQ(body->at("resources"),
            json::parse(R"([{"nodePool":{"id":"0","name":"fast"},"gpu":{"deserved":1}}])"));
}

TEST(Covers, WhatIsNotSaidDoesNotCount) {
  json::value current = json::parse(R"({"a":1,"b":{"c":[1,{"d":2,"e":3}]},"n":null})");
  EXPECT_TRUE(Covers(current, json::parse(R"({"a":1.0})")));
  EXPECT_TRUE(Covers(current, json::parse(R"({"b":{"c":[1,{"d":2}]},"missing":null})")));
  EXPECT_TRUE(Covers(current, json::parse(R"({"n":[],"m":{}})")));
  EXPECT_FALSE(Covers(current, json::parse(R"({"a":"1"})")));
  EXPECT_FALSE(Covers(current, json::parse(R"({"b":{"c":[1]}})")));
  EXPECT_FALSE(Covers(current, json::parse(R"({"x":1})")));
}

TEST(Kinds, AreFoundByPluralSingularAndAlias) {
  EXPECT_EQ((*FindKind("Pools"))->plural, "node-pools");
  EXPECT_EQ((*FindKind("env"))->plural, "environments");
  EXPECT_EQ(FindKind("projct").error().message,
            "there is no kind 'projct'; did you mean 'projects'?");
}

TEST(Kinds, AssetsAreDeletedWhereTheirKindLives) {
  EXPECT_EQ(DeletePath(**FindKind("ds"), json::parse(R"({"meta":{"id":"7","kind":"hostPath"}})")),
            "/api/v1/asset/datasource/host-path/7");
  EXPECT_EQ(
      DeletePath(**FindKind("policy"),
                 json::parse(R"({"type":"training","meta":{"scope":"project","projectId":3}})")),
      "/api/v2/policy/trainings?scope=project&projectId=3");
  EXPECT_EQ(DeletePath(**FindKind("wl"), json::parse(R"({"id":"u","type":"Workspace"})")),
            "/api/v1/workloads/workspaces/u");
}

TEST(Profile, ReadsWhatItWrites) {
  Profile profile{.url = "https://a:1", .user = "x@y", .token = "123", .project = "true"};
  Result<Profile> again = ParseProfile(FormatProfile(profile));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->token, "123");
  EXPECT_EQ(again->project, "true");
  EXPECT_EQ(ParseProfile("urls: x\n").error().message,
            "line 1: there is no key 'urls'; did you mean 'url'?");
}

TEST(ExitCode, TellsScriptsWhatWentWrong) {
  EXPECT_EQ(ExitCodeOf(Code::kUnauthorized), ExitCode{3});
  EXPECT_EQ(ExitCodeOf(Code::kForbidden), ExitCode{4});
  EXPECT_EQ(ExitCodeOf(Code::kNotFound), ExitCode{5});
  EXPECT_EQ(ExitCodeOf(Code::kConflict), ExitCode{6});
  EXPECT_EQ(ExitCodeOf(Code::kUnavailable), ExitCode{7});
  EXPECT_EQ(ExitCodeOf(Code::kInvalid), ExitCode{1});
}

}  // namespace
}  // namespace yard::cli

#include "control/policy/engine.h"

#include <gtest/gtest.h>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace yard::control {
namespace {

json::object Parse(std::string_view text) {
  return json::parse(text).as_object();
}

std::string Filled(std::string_view spec, std::string_view policy) {
  return json::serialize(ApplyDefaults(Parse(spec), Parse(policy)));
}

std::string Issues(std::string_view spec, std::string_view policy) {
  std::string out;
  for (const FieldIssue& issue : Check(Parse(spec), Parse(policy))) {
    out += issue.field + " " + issue.problem + "; ";
  }
  return out;
}

json::object Combined(std::string_view tenant, std::string_view project) {
  json::object high = Parse(tenant);
  json::object low = Parse(project);
  std::vector<PolicyLayer> layers{{Scope::Tenant(), &high}, {Scope::Of(ProjectId{7}), &low}};
  return EffectivePolicy(layers);
}

TEST(EffectivePolicy, TheClosestDefaultWins) {
  json::object policy = Combined(R"({"defaults":{"image":"a","compute":{"gpuDevicesRequest":1}}})",
                                 R"({"defaults":{"image":"b"}})");
  EXPECT_EQ(json::serialize(policy["defaults"]),
            R"({"image":"b","compute":{"gpuDevicesRequest":1}})");
}

TEST(EffectivePolicy, InComputeAndSecurityTheHighestRuleWins) {
  json::object policy = Combined(
      R"({"rules":{"compute":{"gpuDevicesRequest":{"max":2}}}})",
      R"({"rules":{"compute":{"gpuDevicesRequest":{"max":8},"cpuCoreRequest":{"max":4}}}})");
  const json::value& compute = policy["rules"].at("compute");
  EXPECT_EQ(compute.at("gpuDevicesRequest").at("max"), 2);
  EXPECT_EQ(compute.at("gpuDevicesRequest").at("sourceOfRule").at("scope"), "tenant");
  EXPECT_EQ(compute.at("cpuCoreRequest").at("sourceOfRule").at("projectId"), 7);
}

TEST(EffectivePolicy, ElsewhereTheClosestRuleWins) {
  json::object policy = Combined(R"({"rules":{"backoffLimit":{"max":2}}})",
                                 R"({"rules":{"backoffLimit":{"max":8}}})");
  EXPECT_EQ(policy["rules"].at("backoffLimit").at("max"), 8);
  EXPECT_EQ(policy["rules"].at("backoffLimit").at("sourceOfRule").at("scope"), "project");
}

TEST(EffectivePolicy, ItemsOfAllLayersAddUpByName) {
  json::object policy = Combined(
      R"({"defaults":{"labels":{"instances":[{"name":"a","value":"1"},
          {"name":"b","value":"1"}]}}})",
      R"({"defaults":{"labels":{"instances":[{"name":"b","value":"2"}]}}})");
  EXPECT_EQ(json::serialize(policy["defaults"].at("labels").at("instances")),
            R"([{"name":"a","value":"1"},{"name":"b","value":"2"}])");
}

TEST(EffectivePolicy, ImposedAssetsAddUpOnceEach) {
  json::object policy =
      Combined(R"({"imposedAssets":["x","y"]})", R"({"imposedAssets":["y","z"]})");
  EXPECT_EQ(json::serialize(policy["imposedAssets"]), R"(["x","y","z"])");
}

TEST(ApplyDefaults, FillsOnlyWhatIsMissing) {
  EXPECT_EQ(Filled(R"({"image":"mine"})",
                   R"({"defaults":{"image":"theirs","compute":{"gpuDevicesRequest":1}}})"),
            R"({"image":"mine","compute":{"gpuDevicesRequest":1}})");
}

TEST(ApplyDefaults, AddsItemsAndFillsTheirAttributes) {
  EXPECT_EQ(Filled(R"({"ports":[{"name":"web","container":80}]})",
                   R"({"defaults":{"ports":{"attributes":{"serviceType":"NodePort"},
                       "instances":[{"name":"ssh","container":22}]}}})"),
            R"({"ports":[{"name":"web","container":80,"serviceType":"NodePort"},)"
            R"({"name":"ssh","container":22,"serviceType":"NodePort"}]})");
}

TEST(ApplyDefaults, DropsWhatTheSubmissionExcludes) {
  EXPECT_EQ(Filled(R"({"labels":[{"name":"a","exclude":true},{"name":"b","value":"1"}]})",
                   R"({"defaults":{"labels":{"instances":[{"name":"a","value":"x"}]}}})"),
            R"({"labels":[{"name":"b","value":"1"}]})");
}

TEST(ApplyDefaults, ComputesAValueFromAnother) {
  EXPECT_EQ(Filled(R"({"compute":{"cpuCoreRequest":2}})",
                   R"({"rules":{"compute":{"cpuCoreLimit":
                       {"defaultFrom":{"field":"compute.cpuCoreRequest","factor":1.5}}}}})"),
            R"({"compute":{"cpuCoreRequest":2,"cpuCoreLimit":3}})");
}

TEST(Check, ARequiredFieldMayComeFromADefault) {
  constexpr std::string_view kRule = R"({"rules":{"image":{"required":true}}})";
  EXPECT_EQ(Issues("{}", kRule), "image is required by policy; ");
  EXPECT_EQ(Issues(R"({"image":"x"})", kRule), "");
  EXPECT_EQ(Issues("{}", R"({"defaults":{"image":"x"},"rules":{"image":{"required":true}}})"), "");
}

TEST(Check, AFieldThatCannotBeEditedMustKeepItsDefault) {
  constexpr std::string_view kRule =
      R"({"defaults":{"image":"x"},"rules":{"image":{"canEdit":false}}})";
  EXPECT_EQ(Issues("{}", kRule), "");
  EXPECT_EQ(Issues(R"({"image":"x"})", kRule), "");
  EXPECT_EQ(Issues(R"({"image":"y"})", kRule), "image must stay 'x': policy forbids editing it; ");
}

TEST(Check, AValueMustBeOneOfTheOptions) {
  constexpr std::string_view kRule =
      R"({"rules":{"image":{"options":[{"value":"a"},{"value":"b","displayed":"B"}]},
                   "nodePools":{"options":[{"value":"p"}]}}})";
  EXPECT_EQ(Issues(R"({"image":"b","nodePools":["p"]})", kRule), "");
  EXPECT_EQ(Issues(R"({"image":"c","nodePools":["p","q"]})", kRule),
            "image must be one of 'a', 'b'; nodePools must be one of 'p'; ");
}

TEST(Check, NumbersKeepToTheirBoundsAndSteps) {
  constexpr std::string_view kRule =
      R"({"rules":{"compute":{"gpuDevicesRequest":{"min":1,"max":8,"step":2}}}})";
  EXPECT_EQ(Issues(R"({"compute":{"gpuDevicesRequest":3}})", kRule), "");
  EXPECT_EQ(Issues(R"({"compute":{"gpuDevicesRequest":0}})", kRule),
            "compute.gpuDevicesRequest must be at least 1; ");
  EXPECT_EQ(Issues(R"({"compute":{"gpuDevicesRequest":9}})", kRule),
            "compute.gpuDevicesRequest must be at most 8; ");
  EXPECT_EQ(Issues(R"({"compute":{"gpuDevicesRequest":4}})", kRule),
            "compute.gpuDevicesRequest must be 1 plus a multiple of 2; ");
}

TEST(Check, QuantitiesCompareByValueNotByText) {
  constexpr std::string_view kRule =
      R"({"rules":{"compute":{"cpuMemoryRequest":{"min":"500M","max":"2Gi"}}}})";
  EXPECT_EQ(Issues(R"({"compute":{"cpuMemoryRequest":"1000M"}})", kRule), "");
  EXPECT_EQ(Issues(R"({"compute":{"cpuMemoryRequest":"3G"}})", kRule),
            "compute.cpuMemoryRequest must be at most '2Gi'; ");
}

TEST(Check, LockedItemsMayBeNeitherChangedNorExcluded) {
  constexpr std::string_view kRule =
      R"({"defaults":{"labels":{"instances":[{"name":"team","value":"x"}]}},
          "rules":{"labels":{"instances":{"locked":["team"]}}}})";
  EXPECT_EQ(Issues("{}", kRule), "");
  EXPECT_EQ(Issues(R"({"labels":[{"name":"team","exclude":true}]})", kRule),
            "labels[team] is locked by policy and may be neither changed nor excluded; ");
  EXPECT_EQ(Issues(R"({"labels":[{"name":"own","value":"1"}]})", kRule), "");
}

TEST(Check, WithoutCanAddOnlyThePolicysItemsRemain) {
  constexpr std::string_view kRule =
      R"({"rules":{"storage":{"nfs":{"instances":{"canAdd":false}}}}})";
  EXPECT_EQ(Issues(R"({"storage":{"nfs":[{"name":"home","path":"/h"}]}})", kRule),
            "storage.nfs[home] may not be added: policy allows only its own items; ");
}

TEST(Check, RulesOnAttributesHoldForEveryItem) {
  constexpr std::string_view kRule =
      R"({"rules":{"storage":{"nfs":{"attributes":{"readOnly":{"required":true}}}}}})";
  EXPECT_EQ(Issues(R"({"storage":{"nfs":[{"name":"a","readOnly":true},{"name":"b"}]}})", kRule),
            "storage.nfs[1].readOnly is required by policy; ");
}

TEST(CheckPolicy, FindsBoundsAndDefaultsThatContradictEachOther) {
  auto problems = [](std::string_view policy) {
    std::string out;
    for (const FieldIssue& i : CheckPolicy(Parse(policy))) out += i.field + " " + i.problem + "; ";
    return out;
  };
  EXPECT_EQ(problems(R"({"rules":{"backoffLimit":{"min":-1}}})"),
            "policy.rules.backoffLimit.min must be an amount that is not negative; ");
  EXPECT_EQ(problems(R"({"rules":{"compute":{"cpuMemoryRequest":{"max":"-2Gi"}}}})"),
            "policy.rules.compute.cpuMemoryRequest.max must be an amount that is not negative; ");
  EXPECT_EQ(problems(R"({"rules":{"backoffLimit":{"min":5,"max":1}}})"),
            "policy.rules.backoffLimit min 5 is above max 1; ");
  EXPECT_EQ(problems(R"({"defaults":{"backoffLimit":9},"rules":{"backoffLimit":{"max":1}}})"),
            "policy.defaults.backoffLimit must be at most 1; ");
  EXPECT_EQ(problems(R"({"rules":{"image":{"required":true}}})"), "");
}

TEST(CheckPolicy, NamesRulesThatCannotBeRead) {
  std::vector<FieldIssue> issues =
      CheckPolicy(Parse(R"({"rules":{"compute":{"cpuCoreRequest":{"max":"much"}},
                            "image":{"canEdit":"no","options":"x"}}})"));
  ASSERT_EQ(issues.size(), 3U);
  EXPECT_EQ(issues[0].field, "policy.rules.compute.cpuCoreRequest.max");
  EXPECT_EQ(issues[1].problem, "must be true or false");
  EXPECT_EQ(issues[2].problem, "must be a list");
}

}  // namespace
}  // namespace yard::control

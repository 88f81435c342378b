#include "wire/asset_rules.h"

#include <gtest/gtest.h>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace yard::wire {
namespace {

std::string Problems(AssetKind kind, std::string_view spec, SpecUse use = SpecUse::kCreate) {
  std::string out;
  for (const FieldIssue& i : CheckSpec(kind, json::parse(spec).as_object(), use)) {
    out += i.field + " " + i.problem + "; ";
  }
  return out;
}

TEST(ComputeSpec, APortionNeedsItsType) {
  EXPECT_EQ(
      Problems(AssetKind::kCompute,
               R"({"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":0.5})"),
      "");
  EXPECT_EQ(Problems(AssetKind::kCompute, R"({"gpuDevicesRequest":1,"gpuPortionRequest":0.5})"),
            "spec.gpuPortionRequest is possible only with gpuRequestType 'portion'; ");
  EXPECT_EQ(Problems(AssetKind::kCompute, R"({"gpuRequestType":"portion"})"),
            "spec.gpuPortionRequest is required; ");
}

TEST(ComputeSpec, NoGpuIsAValidRequest) {
  EXPECT_EQ(Problems(AssetKind::kCompute, R"({"gpuDevicesRequest":0})"), "");
  EXPECT_EQ(
      Problems(AssetKind::kCompute,
               R"({"gpuDevicesRequest":0,"gpuRequestType":"memory","gpuMemoryRequest":"1G"})"),
      "spec.gpuDevicesRequest must be at least 1 when gpuRequestType is set; ");
}

TEST(ComputeSpec, LimitsAreNotBelowRequests) {
  EXPECT_EQ(Problems(AssetKind::kCompute, R"({"cpuCoreRequest":2,"cpuCoreLimit":1})"),
            "spec.cpuCoreLimit must be at least cpuCoreRequest; ");
  EXPECT_EQ(Problems(AssetKind::kCompute, R"({"cpuMemoryRequest":"1Gi","cpuMemoryLimit":"1G"})"),
            "spec.cpuMemoryLimit must be at least cpuMemoryRequest; ");
  EXPECT_EQ(Problems(AssetKind::kCompute, R"({"cpuMemoryRequest":"1G","cpuMemoryLimit":"1Gi"})"),
            "");
}

TEST(EnvironmentSpec, AConnectionNeedsItsTool) {
  EXPECT_EQ(Problems(AssetKind::kEnvironment,
                     R"({"connections":[{"name":"a","isExternal":true},{"name":"a"}]})"),
            "spec.connections[0].externalToolInfo is required for an external tool; "
            "spec.connections[1].name stands twice; "
            "spec.connections[1].internalToolInfo is required for a tool inside; ");
}

TEST(EnvironmentSpec, AVariableHasAValueOrACredentialNotBoth) {
  EXPECT_EQ(Problems(AssetKind::kEnvironment,
                     R"({"environmentVariables":[{"name":"A","value":"1","credential":{}}]})"),
            "spec.environmentVariables[0].credential is not possible beside a value; ");
}

TEST(PvcSpec, AnExistingClaimNeedsItsNameANewOneItsSize) {
  EXPECT_EQ(Problems(AssetKind::kPvc, R"({"path":"/p","existingPvc":true})"),
            "spec.claimName is required; ");
  EXPECT_EQ(Problems(AssetKind::kPvc, R"({"path":"/p"})"),
            "spec.claimInfo.size is required for a new volume; ");
}

TEST(CredentialSpec, AnUpdateMayLeaveTheSecretOut) {
  EXPECT_EQ(Problems(AssetKind::kPassword, R"({"user":"a"})"), "spec.password is required; ");
  EXPECT_EQ(Problems(AssetKind::kPassword, R"({"user":"a"})", SpecUse::kUpdate), "");
  EXPECT_EQ(Problems(AssetKind::kPassword, R"({"existingSecretName":"s","password":"p"})"),
            "spec.password is not possible beside existingSecretName; ");
}

TEST(Secrets, AreTakenOutOfTheSpec) {
  json::object spec =
      json::parse(R"({"keyValuePairs":[{"key":"a","value":"hunter2"}]})").as_object();
  json::object secrets = TakeSecrets(AssetKind::kGenericSecret, spec);
  EXPECT_EQ(json::serialize(spec), R"({"keyValuePairs":[{"key":"a"}]})");
  EXPECT_EQ(json::serialize(secrets), R"({"keyValuePairs":[{"key":"a","value":"hunter2"}]})");
  spec = json::parse(R"({"accessKeyId":"id","secretAccessKey":"s"})").as_object();
  EXPECT_EQ(json::serialize(TakeSecrets(AssetKind::kAccessKey, spec)),
            R"({"secretAccessKey":"s"})");
  EXPECT_EQ(json::serialize(spec), R"({"accessKeyId":"id"})");
}

}  // namespace
}  // namespace yard::wire

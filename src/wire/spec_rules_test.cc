#include "wire/spec_rules.h"

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

namespace yard::wire {
namespace {

std::string Complaint(std::string_view spec) {
  auto value = ParseJson(spec);
  Status status = RequireSound(value->as_object(), "spec");
  if (status) return "";
  EXPECT_EQ(status.error().code, Code::kInvalid);
  EXPECT_FALSE(status.error().details.empty());
  return status.error().message;
}

TEST(ComputeRules, APartOfAGpuThatIsNoneIsRefused) {
  EXPECT_EQ(Complaint(R"({"compute":{"gpuDevicesRequest":1,"gpuRequestType":"portion",
                                     "gpuPortionRequest":0}})"),
            "spec.compute.gpuPortionRequest must be above 0: for work without a GPU set "
            "gpuDevicesRequest to 0");
  EXPECT_NE(Complaint(R"({"compute":{"gpuRequestType":"memory","gpuMemoryRequest":"0M"}})"), "");
  EXPECT_NE(Complaint(R"({"compute":{"gpuRequestType":"memory"}})"), "");
}

TEST(SpecRules, ALogThatIsKeptHasBounds) {
  EXPECT_EQ(Complaint(R"({"logLimit":"1Gi"})"), "");
  EXPECT_EQ(Complaint(R"({"logLimit":"0"})"), "spec.logLimit must be from 1Mi to 16Gi");
  EXPECT_EQ(Complaint(R"({"logLimit":"17Gi"})"), "spec.logLimit must be from 1Mi to 16Gi");
}

TEST(SpecRules, RunsThatWouldNotHappenAreRefused) {
  EXPECT_EQ(Complaint(R"({"completions":2,"parallelism":2})"), "");
  EXPECT_EQ(Complaint(R"({"completions":1})"), "");
  EXPECT_NE(Complaint(R"({"completions":3,"parallelism":2})").find("spec.completions"),
            std::string::npos);
  EXPECT_NE(Complaint(R"({"completions":3})"), "");
}

TEST(SpecRules, NothingIsPromisedThatIsNotDone) {
  EXPECT_NE(Complaint(R"({"security":{"uidGidSource":"fromIdpToken"}})"), "");
  EXPECT_EQ(Complaint(R"({"security":{"uidGidSource":"custom"}})"), "");
  EXPECT_NE(Complaint(R"({"cleanPodPolicy":"None"})"), "");
  EXPECT_EQ(Complaint(R"({"cleanPodPolicy":"All"})"), "");
  EXPECT_NE(Complaint(R"({"distributedFramework":"MPI","slotsPerWorker":2})"), "");
  EXPECT_EQ(Complaint(R"({"distributedFramework":"PyTorch","slotsPerWorker":1})"), "");
  EXPECT_NE(Complaint(R"({"compute":{"gpuRequestType":"migProfile","migProfile":"1g.5gb"}})"), "");
  EXPECT_NE(Complaint(R"({"createHomeDir":true})"), "");
  EXPECT_EQ(Complaint(R"({"createHomeDir":true,"image":"a"})"), "");
  EXPECT_EQ(Complaint(R"({"storage":{"hostPath":[{"mountPropagation":"None"}]}})"), "");
  EXPECT_NE(Complaint(R"({"storage":{"hostPath":[{},{"mountPropagation":"HostToContainer"}]}})")
                .find("spec.storage.hostPath[1].mountPropagation"),
            std::string::npos);
}

TEST(ComputeRules, WorkWithoutAGpuMayNameAPortionOfNone) {
  EXPECT_EQ(Complaint(R"({"compute":{"gpuDevicesRequest":0,"gpuPortionRequest":0}})"), "");
  EXPECT_EQ(Complaint("{}"), "");
}

TEST(ComputeRules, ARequestAboveItsLimitIsRefused) {
  for (std::string_view compute : {R"("gpuPortionRequest":0.5,"gpuPortionLimit":0.4)",
                                   R"("gpuMemoryRequest":"2G","gpuMemoryLimit":"1G")",
                                   R"("cpuCoreRequest":2,"cpuCoreLimit":1.5)",
                                   R"("cpuMemoryRequest":"2Gi","cpuMemoryLimit":"2G")"}) {
    EXPECT_NE(
        Complaint("{\"compute\":{" + std::string(compute) + "}}").find("Limit must be at least"),
        std::string::npos)
        << compute;
  }
  EXPECT_EQ(Complaint(R"({"compute":{"cpuCoreRequest":2,"cpuCoreLimit":2}})"), "");
}

TEST(ComputeRules, AVariableHasOneSource) {
  EXPECT_EQ(Complaint(R"({"environmentVariables":[{"name":"A","value":"1",
                         "secret":{"name":"s","key":"k"}}]})"),
            "spec.environmentVariables[0].secret is not possible beside a value");
  EXPECT_EQ(Complaint(R"({"environmentVariables":[{"name":"A","value":"",
                         "secret":{"name":"s","key":"k"}}]})"),
            "");
}

}  // namespace
}  // namespace yard::wire

#include "facade/farm/definition.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/strings.h"
#include "facade/farm/requirements.h"
#include "facade/farm/task_spec.h"
#include "wire/stored.h"

namespace yard::facade::farm {
namespace {

json::object Parsed(std::string_view text) {
  return ParseJson(text)->as_object();
}

std::string Refusal(std::string_view body) {
  auto read = CheckDefinition(Parsed(body));
  return read ? "" : read.error().message;
}

// The part of a spec that requirements become, or what is wrong.
std::string SpecFrom(std::string_view requirements) {
  auto asked = ReadRequirements(Parsed(requirements));
  return asked ? JsonText(asked->spec) : asked.error().message;
}

TEST(FarmDefinition, ComesBackAsItWasSavedWithWhatWasLeftOut) {
  auto read = CheckDefinition(Parsed(
      R"({"name":"echo","command":"echo","env":{"A":"1"},"novel":1,
          "capacity_requirements":{"env":[{"name":"B","value":"2"}],"affinity":{}}})"));
  ASSERT_TRUE(read);
  EXPECT_EQ(Join(read->ignored, " "), "novel capacity_requirements.affinity");
  Setting setting;
  setting.value = StoredForm(read->definition);
  EXPECT_EQ(JsonText(DefinitionOf(setting)), JsonText(read->definition));
  EXPECT_EQ(JsonText(read->definition.at("success_return_codes")), "[0]");
}

TEST(FarmDefinition, KeepsValuesOfVariablesWhereTheAuditLogHidesThem) {
  auto read = CheckDefinition(Parsed(
      R"({"name":"e","command":"echo","env":{"A":"secret-1"},
          "capacity_requirements":{"env":[{"name":"B","value":"secret-2"}]}})"));
  ASSERT_TRUE(read);
  const std::string text = StoredForm(read->definition).json;
  EXPECT_TRUE(text.contains("secret-1") && text.contains("secret-2"));
  EXPECT_FALSE(wire::HideSecrets(text).contains("secret-")) << wire::HideSecrets(text);
}

TEST(FarmDefinition, WhateverIsStoredIsReadAsADefinition) {
  for (std::string_view stored : {R"({"value":5})", R"({"value":{"definition":[]}})", "{}"}) {
    Setting setting;
    setting.value.json = stored;
    EXPECT_TRUE(DefinitionOf(setting).contains("command")) << stored;
  }
}

TEST(FarmDefinition, WhatATaskWouldFailForIsRefusedWhenItIsSaved) {
  EXPECT_TRUE(Refusal(R"({"name":"e"})").starts_with("command"));
  EXPECT_TRUE(Refusal(R"({"name":"e","command":"x","job_type":"kit"})").starts_with("job_type"));
  EXPECT_TRUE(Refusal(R"({"name":"e","command":"x","args":"a b"})").starts_with("args"));
  EXPECT_TRUE(Refusal(R"({"name":"e","command":"x","env":{"A":[]}})").starts_with("env.A"));
  EXPECT_TRUE(Refusal(R"({"name":"e","command":"x","success_return_codes":[300]})")
                  .starts_with("success_return_codes"));
  EXPECT_TRUE(Refusal(R"({"name":"e","command":"x","container":"https://***@lab/x"})")
                  .contains("instead of a password"));
}

TEST(FarmRequirements, ResourcesAreRequestAndLimit) {
  EXPECT_EQ(SpecFrom(R"({"resource_limits":{"nvidia.com/gpu":"2","cpu":"500m","memory":"4Gi"}})"),
            R"({"compute":{"gpuDevicesRequest":2,"cpuCoreRequest":0.5,"cpuCoreLimit":0.5,)"
            R"("cpuMemoryRequest":"4Gi","cpuMemoryLimit":"4Gi"}})");
  EXPECT_TRUE(SpecFrom(R"({"resource_limits":{"nvidia.com/gpu":0.5}})").contains("whole number"));
  EXPECT_TRUE(SpecFrom(R"({"resourceLimits":{"cpu":"many"}})").contains("no amount"));
  for (const char* odd : {"nan", "inf", "-nan", "1e308Gi"}) {
    const std::string limit = fmt::format(R"("{}")", odd);
    EXPECT_TRUE(
        SpecFrom(fmt::format(R"({{"resource_limits":{{"cpu":{}}}}})", limit)).contains("no amount"))
        << odd;
    EXPECT_TRUE(SpecFrom(fmt::format(R"({{"resource_limits":{{"nvidia.com/gpu":{}}}}})", limit))
                    .contains("whole number"))
        << odd;
  }
}

TEST(FarmRequirements, AreReadInBothSpellings) {
  EXPECT_EQ(SpecFrom(R"({"active_deadline_seconds":60})"), R"({"timeLimitSeconds":60})");
  EXPECT_EQ(SpecFrom(R"({"activeDeadlineSeconds":60})"), R"({"timeLimitSeconds":60})");
  EXPECT_EQ(SpecFrom(R"({"hostIPC":true})"), R"({"compute":{"largeShmRequest":true}})");
  EXPECT_EQ(SpecFrom(R"({"host_IPC":true})"), R"({"compute":{"largeShmRequest":true}})");
}

TEST(FarmRequirements, VolumesStandWhereTheyAreMounted) {
  EXPECT_EQ(SpecFrom(R"({"volumes":[{"name":"nfs","persistentVolumeClaim":{"claimName":"nfs-pvc"}}],
                   "volume_mounts":[{"name":"nfs","mountPath":"/mnt/nfs"}]})"),
            R"({"storage":{"pvc":[{"name":"nfs","claimName":"nfs-pvc","existingPvc":true,)"
            R"("path":"/mnt/nfs","readOnly":false}]}})");
  EXPECT_TRUE(SpecFrom(R"({"volume_mounts":[{"name":"x","mountPath":"/x"}]})").contains("'x'"));
  EXPECT_TRUE(SpecFrom(R"({"volumes":[{"name":"x","csi":{}}],
                           "volume_mounts":[{"name":"x","mountPath":"/x"}]})")
                  .contains("kind"));
}

TEST(FarmRequirements, WhatWouldWeakenTheMachineIsNotDroppedSilently) {
  EXPECT_EQ(SpecFrom(R"({"hostNetwork":true})"), R"({"security":{"hostNetwork":true}})");
  EXPECT_TRUE(SpecFrom(R"({"security_context":{"privileged":true}})").contains("privileged"));
}

TEST(FarmTask, TheNameOfItsWorkloadIsOneThatAWorkloadMayHave) {
  EXPECT_EQ(WorkloadName("isaac-sim-basic-example"), "isaac-sim-basic-example");
  EXPECT_EQ(WorkloadName("Isaac.Sim-"), "isaac-sim");
  EXPECT_EQ(WorkloadName("3d"), "task-3d");
  EXPECT_EQ(WorkloadName("---"), "task");
}

TEST(FarmTask, APriorityBelowTheUsualNumberIsAHigherClass) {
  EXPECT_EQ(PriorityClassOf(65535), "");
  EXPECT_EQ(PriorityClassOf(0), "train-critical");
  EXPECT_EQ(PriorityClassOf(5000), "train-high");
  EXPECT_EQ(PriorityClassOf(70000), "low");
}

TEST(FarmTask, ItsOwnVariablesGoBeforeThoseOfTheDefinition) {
  TaskOrder order{.type = "e", .user = "ada"};
  order.requirements = Parsed(R"({"env":[{"name":"B","value":"task"}]})");
  auto made = SpecOf(Parsed(R"({"command":"env","env":{"A":1,"B":"own"},
                                "capacity_requirements":{"env":[{"name":"A","value":"asked"}]}})"),
                     order);
  ASSERT_TRUE(made);
  EXPECT_EQ(JsonText(made->spec.at("environmentVariables")),
            R"([{"name":"A","value":"asked"},{"name":"B","value":"task"},)"
            R"({"name":"OV_FARM_TASK_ID","podFieldRef":{"path":"metadata.uid"}}])");
  EXPECT_FALSE(JsonText(made->spec.at("annotations")).contains("\\\"task\\\""));
}

}  // namespace
}  // namespace yard::facade::farm

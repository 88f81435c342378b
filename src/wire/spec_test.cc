#include "wire/spec.h"
#include "base/json_text.h"

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace yard::wire {
namespace {

TEST(Spec, KeepsItsTextToTheLetter) {
  const std::string text =
      R"({"compute":{"cpuMemoryRequest":"1.50Gi"},"own":[1.0,null],"image":"a"})";
  EXPECT_EQ(ReadSpecText(text)->document.json, text);
}

TEST(Spec, OfNothingAsksForNothing) {
  SpecRef spec = ReadSpecText("{}");
  EXPECT_TRUE(spec->command.empty());
  EXPECT_TRUE(spec->storage->host_paths.empty());
  EXPECT_FALSE(spec->security->uid);
  EXPECT_FALSE(spec->placement->near);
  EXPECT_EQ(ReadSpecText("[1]")->document.json, "{}");
}

TEST(Spec, ReadsVariablesBySource) {
  SpecRef spec = ReadSpecText(R"({"environmentVariables":[
    {"name":"A","value":"1"}, {"name":"B","secret":{"name":"s","key":"k"}},
    {"name":"C","credential":{"assetId":"7","name":"n","key":"k"}},
    {"name":"D","podFieldRef":{"path":"metadata.name"}}, {"name":"E"},
    {"name":"F","value":"no","exclude":true}]})");
  ASSERT_EQ(spec->variables.size(), 5U);
  EXPECT_EQ(spec->variables[0].source, VariableSource::kValue);
  EXPECT_EQ(spec->variables[1].source, VariableSource::kSecret);
  EXPECT_EQ(spec->variables[1].key, "k");
  EXPECT_EQ(spec->variables[2].value, "7") << "an id says more than a name";
  EXPECT_EQ(spec->variables[3].value, "metadata.name");
  EXPECT_EQ(spec->variables[4].source, VariableSource::kNone);
}

TEST(Spec, ATemporaryHomeIsAnEmptyFolderThatHomeNames) {
  SpecRef spec = ReadSpecText(R"({"image":"a","createHomeDir":true})");
  ASSERT_EQ(spec->storage->scratch.size(), 1U);
  ASSERT_EQ(spec->variables.size(), 1U);
  EXPECT_EQ(spec->variables[0].name, "HOME");
  EXPECT_EQ(spec->variables[0].value, spec->storage->scratch[0]);
  EXPECT_TRUE(ReadSpecText(R"({"createHomeDir":true})")->variables.empty());
}

TEST(Spec, ReadsLimitsAsWholeAmounts) {
  SpecRef spec = ReadSpecText(R"({"compute":{"gpuRequestType":"portion","gpuPortionLimit":0.3,
    "cpuCoreLimit":1.5,"cpuMemoryLimit":"1G","gpuCompute":"strict","largeShmRequest":true}})");
  EXPECT_EQ(spec->gpu_ask, GpuAsk::kPortion);
  EXPECT_EQ(spec->limits->gpu_portion, MilliGpu(300));
  EXPECT_EQ(spec->limits->cpu, MilliCpu(1500));
  EXPECT_EQ(spec->limits->memory, Mebibytes(954));
  EXPECT_EQ(spec->limits->gpu_time, GpuTimeMode::kStrict);
  EXPECT_TRUE(spec->limits->large_shm);
}

TEST(Spec, ListsEveryPortOnce) {
  SpecRef spec = ReadSpecText(R"({"ports":[{"container":90},{"container":80}],
    "exposedUrls":[{"container":80,"authorizationType":"public"}],
    "servingPort":{"container":70}})");
  EXPECT_EQ(spec->reach->ports, (std::vector<std::uint16_t>{70, 80, 90}));
  ASSERT_EQ(spec->reach->urls.size(), 1U);
  EXPECT_TRUE(spec->reach->urls[0].open_to_all);
  EXPECT_EQ(spec->reach->serving->port, 70);
}

TEST(Spec, ReadsTheNodesItAsksFor) {
  SpecRef spec = ReadSpecText(R"({"nodeType":"h200","podAffinity":{"type":"Required","key":"rack"},
    "tolerations":[{"key":"k","operator":"Exists","effect":"Any"}],
    "compute":{"extendedResources":[{"resource":"rdma","quantity":"2"}]}})");
  EXPECT_EQ(spec->placement->node_type, "h200");
  EXPECT_TRUE(spec->placement->near->required);
  EXPECT_TRUE(spec->placement->tolerations[0].any_value);
  EXPECT_TRUE(spec->placement->tolerations[0].effect.empty());
  EXPECT_EQ(spec->placement->extended[0].quantity, 2);
}

TEST(Spec, ACommandLineWithAnOpenQuoteIsRefused) {
  auto refused = [](std::string_view text) { return !RequireWords(ParseJson(text)->as_object()); };
  EXPECT_TRUE(refused(R"({"command":"sh -c 'a"})"));
  EXPECT_TRUE(refused(R"({"args":[1]})"));
  EXPECT_TRUE(refused(R"({"steps":[{"command":"echo \""}]})"));
  EXPECT_FALSE(refused(R"({"command":["sh","-c","'a"]})"));
}

TEST(Spec, AChangeTouchesOnlyItsFields) {
  json::value spec = *ParseJson(R"({"image":"a","compute":{"gpuDevicesRequest":1}})");
  ChangeSpec(spec.as_object(), {.preemptible = true, .gpu_portion_limit = 0.5});
  EXPECT_EQ(JsonText(spec),
            R"({"image":"a","compute":{"gpuDevicesRequest":1,"gpuPortionLimit":0.5},)"
            R"("preemptibility":"preemptible"})");
}

}  // namespace
}  // namespace yard::wire

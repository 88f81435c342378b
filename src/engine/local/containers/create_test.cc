#include "engine/local/containers/create.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "engine/local/containers/fields.h"

namespace yard::engine::containers {
namespace {

using ::testing::ElementsAre;

TaskSpec Task() {
  TaskSpec spec;
  spec.title = "vision/net_7";
  spec.container = Container{.image = "a:1"};
  return spec;
}

json::value Body(const TaskSpec& spec, const Surroundings& surroundings = {}) {
  return *ParseJson(CreateBody(spec, surroundings));
}

TEST(CreateBody, KeepsEntryPointAndCommandOfTheImageWhenNothingIsSaid) {
  json::value body = Body(Task());
  EXPECT_EQ(Find(body, "Entrypoint"), nullptr);
  EXPECT_EQ(Find(body, "Cmd"), nullptr);
}

TEST(CreateBody, ReplacesTheEntryPointByTheCommandAndDropsTheImagesOwnCommand) {
  TaskSpec spec = Task();
  spec.command = {"python", "x.py"};
  json::value body = Body(spec);
  EXPECT_THAT(Texts(body, "Entrypoint"), ElementsAre("python", "x.py"));
  ASSERT_NE(Find(body, "Cmd"), nullptr);
  EXPECT_TRUE(Find(body, "Cmd")->get_array().empty());
}

TEST(CreateBody, ReplacesOnlyTheImagesCommandByArgs) {
  TaskSpec spec = Task();
  spec.args = {"--epochs", "3"};
  json::value body = Body(spec);
  EXPECT_EQ(Find(body, "Entrypoint"), nullptr);
  EXPECT_THAT(Texts(body, "Cmd"), ElementsAre("--epochs", "3"));
}

TEST(CreateBody, DropsAllCapabilitiesWhereIdsAreTheMachines) {
  TaskSpec spec = Task();
  spec.container->add_capabilities = {"SYS_PTRACE"};
  json::value body = Body(spec, {.ids = IdSpace::kMachine});
  EXPECT_THAT(Texts(body, "HostConfig.CapDrop"), ElementsAre("ALL"));
  EXPECT_TRUE(Texts(body, "HostConfig.CapAdd").empty());
  EXPECT_NE(Text(body, "User"), "") << "never the machine's root";
  EXPECT_THAT(Texts(body, "HostConfig.SecurityOpt"), ElementsAre("no-new-privileges"));
}

TEST(CreateBody, KeepsTheUsualCapabilitiesInTheDaemonsNamespace) {
  TaskSpec spec = Task();
  spec.container->add_capabilities = {"SYS_PTRACE"};
  json::value body = Body(spec);
  EXPECT_EQ(Find(body, "HostConfig.CapDrop"), nullptr);
  EXPECT_THAT(Texts(body, "HostConfig.CapAdd"), ElementsAre("SYS_PTRACE"));
  EXPECT_THAT(Texts(body, "HostConfig.SecurityOpt"), ElementsAre("no-new-privileges"));
}

TEST(CreateBody, GivesTheHostsNetworkAndMemoryOnlyWhenAsked) {
  EXPECT_EQ(Text(Body(Task()), "HostConfig.NetworkMode"), "bridge");
  EXPECT_EQ(Find(Body(Task()), "HostConfig.IpcMode"), nullptr);
  EXPECT_EQ(Number(Body(Task()), "HostConfig.ShmSize"), 64 << 20);
  TaskSpec spec = Task();
  spec.container->host_network = true;
  spec.container->host_ipc = true;
  EXPECT_EQ(Text(Body(spec), "HostConfig.NetworkMode"), "host");
  EXPECT_EQ(Text(Body(spec), "HostConfig.IpcMode"), "host");
}

TEST(CreateBody, LetsTheGroupAroundTheContainerRunOutOfMemoryFirst) {
  TaskSpec spec = Task();
  spec.limits = {.cpu = MilliCpu(1500), .memory = Mebibytes(100), .pids = 50};
  EXPECT_EQ(Number(Body(spec), "HostConfig.Memory"), 100 << 20);
  json::value body = Body(spec, {.cgroup_parent = "/gpuyard/x"});
  EXPECT_EQ(Number(body, "HostConfig.Memory"), 101 << 20);
  EXPECT_EQ(Number(body, "HostConfig.NanoCpus"), 1'500'000'000);
  EXPECT_EQ(Number(body, "HostConfig.PidsLimit"), 50);
  EXPECT_EQ(Text(body, "HostConfig.CgroupParent"), "/gpuyard/x");
}

TEST(CreateBody, RunsAsTheAccountWithItsGroups) {
  TaskSpec spec = Task();
  EXPECT_EQ(Find(Body(spec), "User"), nullptr);
  spec.account = Account{.uid = 7, .gid = 8, .groups = {9, 10}};
  EXPECT_EQ(Text(Body(spec), "User"), "7:8");
  EXPECT_THAT(Texts(Body(spec), "HostConfig.GroupAdd"), ElementsAre("9", "10"));
}

TEST(CreateBody, AsksEachDaemonForGpusInItsOwnWords) {
  Surroundings podman{.daemon = DaemonKind::kPodman, .gpus = {.cdi = {"nvidia.com/gpu=GPU-1"}}};
  EXPECT_EQ(json::serialize(*Find(Body(Task(), podman), "HostConfig.Devices")),
            R"([{"PathOnHost":"nvidia.com/gpu=GPU-1"}])");
  Surroundings docker{.gpus = {.cdi = {"nvidia.com/gpu=GPU-1"}}};
  EXPECT_EQ(json::serialize(*Find(Body(Task(), docker), "HostConfig.DeviceRequests")),
            R"([{"Driver":"cdi","DeviceIDs":["nvidia.com/gpu=GPU-1"]}])");
}

TEST(CreateBody, NamesTheHostAfterTheWorkload) {
  EXPECT_EQ(Text(Body(Task()), "Hostname"), "net7-0");
}

TEST(ContainerName, IsTheSameForTheSameTask) {
  EXPECT_EQ(ContainerName({AttemptId(), 3}), "gpuyard-00000000-0000-0000-0000-000000000000-3");
}

}  // namespace
}  // namespace yard::engine::containers

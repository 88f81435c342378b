#include "engine/local/containers/create_mapped.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "engine/local/containers/fields.h"
#include "engine/local/containers/id_space.h"

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
  return *ParseJson(MappedCreateBody(spec, surroundings));
}

TEST(MappedCreateBody, GivesTheContainerIdsThatAreNobodys) {
  json::value body = Body(Task(), {.range = {0x7012'0000}});
  for (const char* map : {"idmappings.UIDMap", "idmappings.GIDMap"}) {
    const json::value& range = Find(body, map)->as_array().at(0);
    EXPECT_EQ(Number(range, "container_id"), 0);
    EXPECT_EQ(Number(range, "host_id"), 0x7012'0000);
    EXPECT_EQ(Number(range, "size"), 65'536);
  }
  EXPECT_EQ(Text(body, "userns.nsmode"), "private");
}

TEST(MappedCreateBody, AddsOnlyTheCapabilitiesAskedFor) {
  EXPECT_TRUE(Texts(Body(Task()), "cap_add").empty());
  TaskSpec spec = Task();
  spec.container->add_capabilities = {"SYS_PTRACE"};
  EXPECT_THAT(Texts(Body(spec), "cap_add"), ElementsAre("SYS_PTRACE"));
  EXPECT_TRUE(Find(Body(spec), "no_new_privileges")->as_bool());
}

TEST(MappedCreateBody, SaysWhatTheOtherRequestSays) {
  TaskSpec spec = Task();
  EXPECT_EQ(Find(Body(spec), "entrypoint"), nullptr);
  spec.command = {"python"};
  spec.args = {"x.py"};
  spec.variables = {{"A", "b"}};
  spec.limits = {.cpu = MilliCpu(1500), .memory = Mebibytes(100), .pids = 50};
  json::value body = Body(spec, {.binds = {{"/a", "/b", true}}, .cgroup_parent = "/gpuyard/x"});
  EXPECT_THAT(Texts(body, "entrypoint"), ElementsAre("python"));
  EXPECT_THAT(Texts(body, "command"), ElementsAre("x.py"));
  EXPECT_EQ(Text(body, "env.A"), "b");
  EXPECT_EQ(Text(body, "hostname"), "net7-0");
  EXPECT_EQ(Number(body, "resource_limits.memory.limit"), 101 << 20);
  EXPECT_EQ(Number(body, "resource_limits.cpu.quota"), 150'000);
  EXPECT_EQ(Number(body, "resource_limits.pids.limit"), 50);
  EXPECT_EQ(Text(body, "cgroup_parent"), "/gpuyard/x");
  EXPECT_EQ(json::serialize(*Find(body, "mounts")),
            R"([{"type":"bind","source":"/a","destination":"/b",)"
            R"("options":["rbind","ro","nosuid","nodev"]}])");
}

}  // namespace
}  // namespace yard::engine::containers

#include "slice/nvml.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "slice/agent/folder.h"
#include "slice/isolation.h"
#include "slice/watchdog.h"

namespace yard::slice {
namespace {

TEST(GpuUuid, SurvivesTheRoundTrip) {
  const std::string text = "GPU-8f3a1c22-0b4d-4e5f-9a6b-7c8d9e0f1a2b";
  ASSERT_TRUE(ParseUuid(text).has_value());
  EXPECT_EQ(FormatUuid(*ParseUuid(text)), text);
}

TEST(GpuUuid, RefusesWhatIsNone) {
  for (const char* const text :
       {"", "GPU-", "GPU-12", "0", "GPU-8f3a1c22-0b4d-4e5f-9a6b-7c8d9e0f1a2z",
        "MIG-GPU-8f3a1c22-0b4d-4e5f-9a6b-7c8d9e0f1a2b/3/0"})
    EXPECT_FALSE(ParseUuid(text).has_value()) << text;
}

TEST(Watchdog, GivesUpOnAHangingCallAndStartsNoSecondOne) {
  Watchdog<int> watchdog(std::chrono::milliseconds(20));
  auto gate = std::make_shared<std::promise<void>>();
  auto opened = gate->get_future().share();
  EXPECT_EQ(watchdog.Ask([opened] { return opened.wait(), 1; }), std::nullopt);
  EXPECT_TRUE(watchdog.Hangs());
  EXPECT_EQ(watchdog.Ask([] { return 2; }), std::nullopt);
  gate->set_value();
  while (watchdog.Hangs()) std::this_thread::yield();
}

TEST(Watchdog, PassesAnAnswerOn) {
  Watchdog<int> watchdog(std::chrono::minutes(5));
  EXPECT_EQ(watchdog.Ask([] { return 3; }), 3);
  EXPECT_EQ(watchdog.Ask([] { return 4; }), 4);
  EXPECT_FALSE(watchdog.Hangs());
}

TEST(IsolationLevel, IsTheStrongestTheNodeHas) {
  EXPECT_EQ(Name(BestIsolation({})), "declared");
  EXPECT_EQ(Name(BestIsolation({.has_driver = true})), "counted");
  EXPECT_EQ(Name(BestIsolation({.has_driver = true, .library = true})), "cooperative");
  EXPECT_EQ(Name(BestIsolation({.has_driver = true, .library = true, .memory_limits = true})),
            "kernel");
  EXPECT_EQ(Name(BestIsolation({.has_driver = true, .mig_instance = true})), "hardware");
}

TEST(Injection, CoversEveryDriverFileInAContainer) {
  const auto mounts = ContainerMounts("/s/a", {"/ours", "/real/libcuda.so.1", "/real/ml.so"},
                                      {"/usr/lib64/libcuda.so.1", "/usr/lib64/libnvidia-ml.so.1"});
  ASSERT_EQ(mounts.size(), 11U);
  EXPECT_EQ(mounts[0].from, "/s/a/door");
  EXPECT_EQ(mounts[0].to, "/run/gpuyard/slice/door");
  EXPECT_EQ(mounts[1].to, "/etc/vulkan/implicit_layer.d/gpuyard_slice.json");
  EXPECT_EQ(mounts[4].to, "/run/gpuyard/slice/lib/libcuda.so.1");
  EXPECT_EQ(mounts[8].from, "/ours/libgpuyard-vulkan.so.1");
  EXPECT_EQ(mounts[9].from, "/ours/libcuda.so.1");
  EXPECT_EQ(mounts[10].from, "/ours/libnvidia-ml.so.1");
  EXPECT_EQ(mounts[10].to, "/usr/lib64/libnvidia-ml.so.1");
}

TEST(Injection, KeepsAProcessesOwnLibraryPath) {
  const auto variables = ProcessEnvironment("/s/a", "/opt/lib");
  EXPECT_EQ(variables[0].value, "/s/a/lib:/opt/lib");
  EXPECT_EQ(variables[1].value, "/s/a/lib/libcuda.so.1");
}

TEST(Injection, KeepsAProcessesOwnDataFolders) {
  const auto none = LayerEnvironment("/s/a", "");
  ASSERT_EQ(none.size(), 1U);
  EXPECT_EQ(none[0].name, "XDG_DATA_DIRS");
  EXPECT_EQ(none[0].value, "/s/a/share:/usr/local/share:/usr/share");
  EXPECT_EQ(LayerEnvironment("/s/a", "/opt/share")[0].value, "/s/a/share:/opt/share");
}

}  // namespace
}  // namespace yard::slice

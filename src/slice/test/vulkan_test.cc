// Vulkan's memory counts in the slice, beside CUDA's: through Vulkan's own loader, on a fake driver
// that takes part in the fake GPU's truth, and on Mesa's driver for processors.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "slice/agent/folder.h"
#include "slice/fake/truth.h"
#include "slice/test/harness.h"

namespace yard::slice {
namespace {

constexpr std::uint64_t kHard = 2 * kGib;
constexpr std::uint64_t kDevice = 96 * kMib;  // what the fake driver keeps for a device
constexpr const char* kMesa = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
constexpr const char* kNoMemory = "-2";
constexpr const char* kNotUsable = "-3";

class Vulkan : public testing::Test {
 protected:
  Vulkan() : driver_(node.root + "/fake_vulkan.json") {
    std::ofstream(driver_) << R"({"file_format_version": "1.0.0", "ICD": {"library_path": ")"
                           << BuildPath("test/fake/libfake-vulkan.so")
                           << R"(", "api_version": "1.3.239"}})";
  }

  // No slice; with `driver` alone.
  Environment Outside(const std::string& driver) const {
    Environment environment = node.Base();
    environment.push_back("VK_ICD_FILENAMES=" + driver);
    return environment;
  }
  // As the engine brings a plain process into its slice.
  Environment Inside(const std::string& folder, const std::string& driver) const {
    Environment environment = Outside(driver);
    for (const Variable& variable : ProcessEnvironment(folder, ""))
      environment.push_back(variable.name + "=" + variable.value);
    for (const Variable& variable : LayerEnvironment(folder, ""))
      environment.push_back(variable.name + "=" + variable.value);
    return environment;
  }
  static std::unique_ptr<Client> Run(const Environment& environment) {
    return std::make_unique<Client>(std::vector<std::string>{BuildPath("gpuyard-slice-vulkan")},
                                    environment);
  }
  // With a device already.
  std::unique_ptr<Client> Start(const std::string& folder) {
    auto client = Run(Inside(folder, driver_));
    EXPECT_EQ(client->Ask("open"), "0");
    EXPECT_EQ(client->Ask("start"), "0");
    return client;
  }
  std::uint64_t Used() { return node.State("a").used; }

  Node node;
  std::string driver_;
};

std::string Bytes(const std::string& command, std::uint64_t bytes) {
  return command + " " + std::to_string(bytes);
}

TEST_F(Vulkan, ShowsTheSliceAsTheGpu) {
  const auto client = Start(node.Add("a", kHard));
  EXPECT_EQ(client->Numbers("heaps"), (std::vector<std::int64_t>{kHard, kHard}));
  ASSERT_EQ(client->Ask(Bytes("alloc", kGib)), "0");
  const auto other = node.Start(node.root + "/a");
  ASSERT_EQ(other->Ask("init"), "0");
  // What another process of the slice holds is not to be had.
  EXPECT_EQ(client->Numbers("heaps"),
            (std::vector<std::int64_t>{kHard, kHard - fake::kContextBytes}));
}

TEST_F(Vulkan, CountsWhatLiesOnTheGpuAndNothingElse) {
  const auto client = Start(node.Add("a", kHard));
  EXPECT_EQ(client->Ask("alloc 1"), "0");
  EXPECT_EQ(Used(), 64U << 10);
  EXPECT_EQ(client->Ask(Bytes("alloc", 5 * kMib + 1)), "0");
  EXPECT_EQ(Used(), (128U << 10) + 5 * kMib);
  EXPECT_EQ(client->Ask(Bytes("host", 4 * kGib)), "0");
  EXPECT_EQ(Used(), (128U << 10) + 5 * kMib);
  EXPECT_EQ(client->Ask("free 1"), "0");
  EXPECT_EQ(Used(), 64U << 10);
  EXPECT_EQ(client->Ask("freeall"), "0");
  EXPECT_EQ(Used(), 0U);
}

TEST_F(Vulkan, RefusesWhatDoesNotFitBeforeTheDriverIsAsked) {
  const auto client = Start(node.Add("a", kHard));
  std::istringstream words(client->Ask("fill 20971520 9000000000"));
  std::string code;
  std::uint64_t count = 0;
  words >> code >> count;
  EXPECT_EQ(code, kNoMemory);
  EXPECT_EQ(count, (kHard - kDevice) / (20 * kMib));
  EXPECT_LE(TrueBytes(), kHard);
  EXPECT_EQ(node.State("a").refused, 1U);
  EXPECT_EQ(client->Ask("free 0"), "0");
  EXPECT_EQ(client->Ask("alloc 20971520"), "0");
}

TEST_F(Vulkan, TheDeviceItselfCountsAndGoesAgainIfItDoesNotFit) {
  const auto client = Start(node.Add("a", kHard));
  EXPECT_EQ(node.State("a").overhead, kDevice);
  const auto small = Run(Inside(node.Add("b", kDevice - kMib), driver_));
  ASSERT_EQ(small->Ask("open"), "0");
  EXPECT_EQ(small->Ask("start"), kNoMemory);
  EXPECT_EQ(TrueBytes(small->pid()), 0U);
}

TEST_F(Vulkan, WhatADeviceLeavesIsFreeWhenItIsDestroyed) {
  const auto client = Start(node.Add("a", kHard));
  ASSERT_EQ(client->Ask(Bytes("alloc", 512 * kMib)), "0");
  EXPECT_EQ(client->Ask("stop"), "0");
  EXPECT_EQ(Used(), 0U);
}

TEST_F(Vulkan, WhatADeadProcessHeldIsFree) {
  const std::string folder = node.Add("a", kHard);
  const auto client = Start(folder);
  ASSERT_EQ(client->Ask(Bytes("alloc", kGib)), "0");
  client->Kill();
  ASSERT_TRUE(node.Await("a", 0));
  EXPECT_EQ(Used(), 0U);
}

TEST_F(Vulkan, CountsInOneSlotWithCuda) {
  const std::string folder = node.Add("a", kHard);
  const auto client = Start(folder);
  ASSERT_EQ(client->Ask(Bytes("alloc", 64 * kMib)), "0");
  ASSERT_EQ(client->Ask("cuda"), "0");
  ASSERT_EQ(client->Ask(Bytes("cualloc", 32 * kMib)), "0");
  ASSERT_EQ(client->Ask(Bytes("alloc", 16 * kMib)), "0");
  EXPECT_EQ(Used(), fake::kContextBytes + 112 * kMib);
  EXPECT_EQ(node.Processes("a"), 1);
  EXPECT_EQ(node.State("a").drift, 0);
  const auto other = node.Start(folder);
  ASSERT_EQ(other->Ask("init"), "0");
  EXPECT_EQ(other->Ask("alloc linear 1610612736").substr(0, 1), "2") << "no room beside Vulkan";
}

TEST_F(Vulkan, MemorySharedWithCudaIsCountedOnce) {
  const auto client = Start(node.Add("a", kHard));
  ASSERT_EQ(client->Ask("cuda"), "0");
  ASSERT_EQ(client->Ask(Bytes("shared", 256 * kMib)).substr(0, 2), "0 ");
  const std::uint64_t before = Used();
  EXPECT_EQ(client->Ask(Bytes("cuimport", 256 * kMib)), "0");
  EXPECT_EQ(Used(), before);
  EXPECT_EQ(client->Ask("culet"), "0");
  EXPECT_EQ(Used(), before);
  ASSERT_EQ(client->Ask(Bytes("shared", 256 * kMib)).substr(0, 2), "0 ");
  EXPECT_EQ(client->Ask(Bytes("import", 256 * kMib)), "0") << "from Vulkan to Vulkan";
  EXPECT_EQ(Used(), before + 256 * kMib);
}

TEST_F(Vulkan, AProcessThatDoesNotRenderPaysForWhatItImports) {
  const auto client = Run(Inside(node.Add("a", kHard), driver_));
  ASSERT_EQ(client->Ask("cuda"), "0");
  EXPECT_EQ(client->Ask(Bytes("cuimport", 256 * kMib)), "0");
  EXPECT_EQ(Used(), fake::kContextBytes + 256 * kMib);
  EXPECT_EQ(client->Ask("culet"), "0");
  EXPECT_EQ(Used(), fake::kContextBytes);
}

TEST_F(Vulkan, AContextBesideADeviceTellsNothingOfContexts) {
  const auto client = Start(node.AddUnlearned("a", kHard));
  ASSERT_EQ(client->Ask("cuda"), "0");
  EXPECT_EQ(node.State("a").context_bytes, 0U);
  EXPECT_EQ(node.State("a").overhead, fake::kContextBytes + kDevice);
}

TEST_F(Vulkan, ThreadsWithDevicesOfTheirOwnKeepTheBooks) {
  const auto client = Run(Inside(node.Add("a", 4 * kGib), driver_));
  EXPECT_EQ(client->Ask("threads 6 60"), "0");
  EXPECT_EQ(Used(), 0U);
  EXPECT_EQ(node.State("a").drift, 0);
}

TEST_F(Vulkan, AProgramOfTheFirstVersionIsCountedToo) {
  const auto client = Run(Inside(node.Add("a", kHard), driver_));
  ASSERT_EQ(client->Ask("open10"), "0");
  ASSERT_EQ(client->Ask("start"), "0");
  EXPECT_EQ(client->Numbers("heaps")[0], static_cast<std::int64_t>(kHard));
  EXPECT_EQ(client->Ask(Bytes("alloc", kGib)), "0");
  EXPECT_EQ(client->Ask(Bytes("alloc", kGib)), kNoMemory);
}

TEST_F(Vulkan, AGpuThatIsNotOfTheSliceCannotBeUsed) {
  Environment strange = Inside(node.Add("a", kHard), driver_);
  strange.emplace_back("YARD_FAKE_STRANGER=1");
  const auto client = Run(strange);
  ASSERT_EQ(client->Ask("open"), "0");
  EXPECT_EQ(client->Ask("start"), kNotUsable);
  EXPECT_EQ(TrueBytes(), 0U);
}

TEST_F(Vulkan, WithoutAKeeperThereIsNoDevice) {
  const Environment inside = Inside(node.Add("a", kHard), driver_);
  node.StopKeeper();
  const auto client = Run(inside);
  ASSERT_EQ(client->Ask("open"), "0");
  EXPECT_EQ(client->Ask("start"), kNotUsable);
}

// As in a container, where nothing of the environment is needed.
TEST_F(Vulkan, TheLoaderFindsTheLayerByItsPlaceToo) {
  const std::string folder = node.Add("a", kHard);
  const std::string place = node.root + "/share/vulkan/implicit_layer.d";
  std::filesystem::create_directories(place);
  std::ifstream file(folder + "/container-layer.json");
  std::string text(std::istreambuf_iterator<char>(file), {});
  const std::string inside = "/run/gpuyard/slice";
  ASSERT_NE(text.find(inside), std::string::npos) << text;
  std::ofstream(place + "/gpuyard_slice.json")
      << text.replace(text.find(inside), inside.size(), folder);
  Environment environment = Outside(driver_);
  environment.push_back("XDG_DATA_DIRS=" + node.root + "/share");
  const auto client = Run(environment);
  ASSERT_EQ(client->Ask("open"), "0");
  ASSERT_EQ(client->Ask("start"), "0");
  EXPECT_EQ(client->Ask(Bytes("alloc", 64 * kMib)), "0");
  EXPECT_EQ(Used(), 64 * kMib);
}

TEST_F(Vulkan, WhoLeavesTheLayerOutIsNoticed) {
  node.Add("a", kHard);
  const auto client = Run(Outside(driver_));
  node.Claim("a", client->pid());
  ASSERT_EQ(client->Ask("open"), "0");
  ASSERT_EQ(client->Ask("start"), "0");
  ASSERT_EQ(client->Ask(Bytes("alloc", 3 * kGib)), "0");
  EXPECT_TRUE(node.AwaitEvent(EventKind::kOverLimit, "a"));
}

// A real driver, whose only GPU is the processor.
class Mesa : public Vulkan {
 protected:
  void SetUp() override {
    ASSERT_TRUE(std::filesystem::exists(kMesa)) << "the package mesa-vulkan-drivers is missing";
  }
  std::string NameOfGpu() {
    const auto client = Run(Outside(kMesa));
    EXPECT_EQ(client->Ask("open"), "0");
    return client->Ask("name");
  }
};

TEST_F(Mesa, CountsAndRefuses) {
  const std::string name = NameOfGpu();
  GpuLimit gpu;
  gpu.uuid = *ParseUuid(name.substr(0, name.find(' ')));
  gpu.hard = gpu.soft = 256 * kMib;
  const auto folder = node.keeper().Add({"a", 77, {gpu}, ShareMode::kNone});
  ASSERT_TRUE(folder);
  const auto client = Run(Inside(*folder, kMesa));
  ASSERT_EQ(client->Ask("open"), "0");
  ASSERT_EQ(client->Ask("start"), "0");
  EXPECT_EQ(client->Numbers("heaps")[0], static_cast<std::int64_t>(256 * kMib));
  EXPECT_EQ(client->Ask("fill 20971520 1000000000"), "-2 12 251658240");
  EXPECT_EQ(Used(), 12 * 20 * kMib);
  EXPECT_EQ(client->Ask("free 3"), "0");
  EXPECT_EQ(client->Ask("shared 1048576").substr(0, 2), "0 ");
  EXPECT_EQ(Used(), 221 * kMib);
  EXPECT_EQ(client->Ask("stop"), "0");
  EXPECT_EQ(Used(), 0U);
}

TEST_F(Mesa, IsLeftAloneWhereItIsNotOfTheSlice) {
  const auto outside = Run(Outside(kMesa)), inside = Run(Inside(node.Add("a", 64 * kMib), kMesa));
  for (Client* const client : {outside.get(), inside.get()}) {
    ASSERT_EQ(client->Ask("open"), "0");
    ASSERT_EQ(client->Ask("start"), "0");
    EXPECT_EQ(client->Ask(Bytes("alloc", 128 * kMib)), "0");
  }
  EXPECT_EQ(inside->Ask("heaps"), outside->Ask("heaps"));
  EXPECT_EQ(Used(), 0U);
}

}  // namespace
}  // namespace yard::slice

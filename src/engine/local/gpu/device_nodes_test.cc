#include "engine/local/gpu/device_nodes.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace yard::engine {
namespace {

using ::testing::ElementsAre;

constexpr const char* kDevices =
    "Character devices:\n  1 mem\n195 nvidia\n195 nvidiactl\n234 nvidia-nvswitch\n"
    "236 nvidia-caps\n510 nvidia-uvm\n511 nvidia-caps-imex-channels\n\n"
    "Block devices:\n  7 loop\n300 nvidia-block\n";

class DeviceNodes : public ::testing::Test {
 protected:
  DeviceNodes() {
    Write("devices", kDevices);
    Write("driver/nvidia/capabilities/gpu1/mig/gi2/access", "DeviceFileMinor: 12\nMode: 292\n");
    Write("driver/nvidia/capabilities/gpu1/mig/gi2/ci0/access", "DeviceFileMinor: 13\n");
    Write("driver/nvidia/capabilities/gpu1/mig/gi3/access", "DeviceFileMinor: 21\n");
  }
  ~DeviceNodes() override { std::filesystem::remove_all(proc_); }

  void Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = proc_ + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  static std::vector<std::string> Granted(const DeviceAccess& access) {
    std::vector<std::string> numbers;
    for (const shim::DeviceNumber& device : access.granted)
      numbers.push_back(fmt::format("{}:{}", device.major, device.minor));
    return numbers;
  }

  const std::string proc_ = fmt::format("{}gpuyard-nodes-{}", ::testing::TempDir(), ::getpid());
};

TEST_F(DeviceNodes, WithoutAGpuNothingOfTheDriverIsOpen) {
  const DeviceAccess access = AccessTo({}, proc_);
  EXPECT_THAT(access.guarded, ElementsAre(195, 234, 236, 510, 511));
  EXPECT_THAT(Granted(access), ElementsAre());
}

TEST_F(DeviceNodes, AWholeGpuComesWithWhatAllShareAndNoInstance) {
  const GpuNode gpu{.minor = 3};
  const DeviceAccess access = AccessTo(std::span(&gpu, 1), proc_);
  EXPECT_THAT(access.guarded, ElementsAre(195, 234, 236));
  EXPECT_THAT(Granted(access), ElementsAre("195:3", "195:254", "195:255"));
}

TEST_F(DeviceNodes, AnInstanceComesWithItsOwnCapabilities) {
  const GpuNode instance{.minor = 1, .gpu_instance = 2, .compute_instance = 0};
  const DeviceAccess access = AccessTo(std::span(&instance, 1), proc_);
  EXPECT_THAT(Granted(access), ElementsAre("236:12", "236:13", "195:1", "195:254", "195:255"));
}

TEST_F(DeviceNodes, GpusAreGuardedBeforeTheirDriverIsLoaded) {
  Write("devices", "Character devices:\n  1 mem\n");
  EXPECT_THAT(AccessTo({}, proc_).guarded, ElementsAre(195));
}

}  // namespace
}  // namespace yard::engine

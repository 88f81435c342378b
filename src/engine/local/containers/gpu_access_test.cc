#include "engine/local/containers/gpu_access.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::engine::containers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kFirst[] = "GPU-11111111-0000-0000-0000-000000000001";
constexpr char kSecond[] = "GPU-11111111-0000-0000-0000-000000000002";

class GpuAccessTest : public ::testing::Test {
 protected:
  GpuAccessTest() {
    std::string name = std::filesystem::temp_directory_path() / "gpuyard-gpus-XXXXXX";
    root_ = ::mkdtemp(name.data());
    places_ = {{root_ + "/cdi"}, root_ + "/gpus", root_ + "/dev"};
  }
  ~GpuAccessTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text = "") const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void WriteGpu(const std::string& uuid, int minor) const {
    Write("/gpus/" + uuid + "/information", "Model: \t\t H200\nGPU UUID: \t " + uuid +
                                                "\nDevice Minor: \t " + std::to_string(minor) +
                                                "\n");
  }
  std::vector<std::string> Targets(const std::string& cuda, Stands stands) const {
    std::vector<std::string> targets;
    for (const Bind& bind : DriverBinds(root_ + cuda, stands, {})) {
      EXPECT_EQ(bind.source, bind.target);
      EXPECT_TRUE(bind.read_only);
      targets.push_back(bind.target.substr(root_.size()));
    }
    return targets;
  }

  std::string root_;
  GpuPlaces places_;
  const std::vector<GpuGrant> grants_ = {{kSecond, MilliGpu(1000)}};
};

TEST_F(GpuAccessTest, GoesByTheDescriptionThatKnowsTheGpu) {
  Write("/cdi/nvidia.yaml", std::string("devices:\n- name: ") + kSecond + "\n");
  WriteGpu(kSecond, 1);
  const GpuAccess access = FindGpuAccess(grants_, places_);
  EXPECT_THAT(access.cdi, ElementsAre(std::string("nvidia.com/gpu=") + kSecond));
  EXPECT_THAT(access.device_files, IsEmpty());
}

TEST_F(GpuAccessTest, GoesByTheDeviceFilesOfTheGpuAndTheCommonOnes) {
  WriteGpu(kFirst, 0);
  WriteGpu(kSecond, 1);
  for (const char* name : {"nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"})
    Write(std::string("/dev/") + name);
  const GpuAccess access = FindGpuAccess(grants_, places_);
  EXPECT_THAT(access.cdi, IsEmpty());
  EXPECT_THAT(access.device_files, ElementsAre(root_ + "/dev/nvidia1", root_ + "/dev/nvidiactl",
                                               root_ + "/dev/nvidia-uvm"));
}

TEST_F(GpuAccessTest, HasNeitherForAGpuThatIsOnlyDeclared) {
  const GpuAccess access = FindGpuAccess(grants_, places_);
  EXPECT_THAT(access.cdi, IsEmpty());
  EXPECT_THAT(access.device_files, IsEmpty());
}

TEST_F(GpuAccessTest, BringsTheDriverUnderAllItsNames) {
  for (const char* name : {"libcuda.so.1", "libcuda.so.580.1", "libnvidia-ml.so.1", "libc.so.6",
                           "libnvidia-ptxjitcompiler.so.1", "libnvidia-glcore.so.580.1"})
    Write(std::string("/lib/") + name);
  EXPECT_THAT(Targets("/lib/libcuda.so.1", Stands::kDrivers),
              ElementsAre("/lib/libcuda.so.1", "/lib/libcuda.so.580.1", "/lib/libnvidia-ml.so.1",
                          "/lib/libnvidia-ptxjitcompiler.so.1"));
}

TEST_F(GpuAccessTest, LeavesTheFilesToASliceThatOursStandFor) {
  for (const char* name : {"libcuda.so.1", "libnvidia-ml.so.1", "libnvidia-ptxjitcompiler.so.1"})
    Write(std::string("/lib/") + name);
  EXPECT_THAT(Targets("/lib/libcuda.so.1", Stands::kOurs),
              ElementsAre("/lib/libnvidia-ptxjitcompiler.so.1"));
}

TEST_F(GpuAccessTest, LeavesAFolderThatTheTaskMountsItself) {
  Write("/lib/libcuda.so.1");
  const std::vector<Mount> around = {{MountKind::kHostPath, "/usr", root_, true}};
  const std::vector<Mount> beside = {{MountKind::kHostPath, "/usr", root_ + "/li", true}};
  EXPECT_THAT(DriverBinds(root_ + "/lib/libcuda.so.1", Stands::kDrivers, around), IsEmpty());
  EXPECT_EQ(DriverBinds(root_ + "/lib/libcuda.so.1", Stands::kDrivers, beside).size(), 1U);
}

TEST_F(GpuAccessTest, BringsNothingWhereThereIsNoDriver) {
  EXPECT_THAT(DriverBinds("", Stands::kDrivers, {}), IsEmpty());
}

}  // namespace
}  // namespace yard::engine::containers

// Device memory limited by the kernel, on a tree of plain files: no kernel here has the controller
// with a GPU behind it.
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "engine/local/native/cgroups.h"

namespace yard::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class FakeTree {
 public:
  explicit FakeTree(const std::string& controllers) {
    std::string pattern = "/tmp/gpuyard-dmem-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    std::filesystem::create_directories(root_ + "/yard");
    Put("cgroup.controllers", controllers);
    Put("dmem.capacity", "drm/0000:3b:00.0/vram0 51539607552\ndrm/0000:3b:00.0/stolen 1048576\n");
    for (const char* file : {"cgroup.subtree_control", "yard/cgroup.subtree_control",
                             "yard/dmem.max", "yard/dmem.min"})
      Put(file, "");
  }
  ~FakeTree() { std::filesystem::remove_all(root_); }
  FakeTree(const FakeTree&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;

  void Put(const std::string& file, const std::string& text) const {
    std::ofstream(root_ + "/" + file) << text;
  }
  std::string Read(const std::string& file) const {
    std::stringstream text;
    text << std::ifstream(root_ + "/" + file).rdbuf();
    return text.str();
  }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

TaskSpec Half() {
  TaskSpec spec;
  spec.gpus = {{.uuid = "GPU-1", .part = MilliGpu(500), .memory = Mebibytes(100)}};
  return spec;
}

const std::vector<std::string> kAddresses = {"00000000:3B:00.0"};

TEST(DeviceMemoryLimit, IsWrittenForAPartWhereTheKernelHasIt) {
  const FakeTree tree("cpu memory pids dmem");
  const Cgroups groups = Cgroups::OpenAt(tree.root(), "yard");
  EXPECT_TRUE(groups.LimitsDevice(kAddresses[0]));
  EXPECT_FALSE(groups.LimitsDevice("00000000:5E:00.0")) << "another GPU";
  EXPECT_FALSE(groups.LimitsDevice("")) << "an address that is not known";
  const std::string lines = groups.DeviceLinesFor(Half(), kAddresses);
  EXPECT_THAT(lines, HasSubstr("/dmem.max=drm/0000:3b:00.0/vram0 104857600"));
  EXPECT_THAT(lines, HasSubstr("/dmem.min=drm/0000:3b:00.0/vram0 104857600"));
  EXPECT_THAT(tree.Read("cgroup.subtree_control"), HasSubstr("dmem"));
}

TEST(DeviceMemoryLimit, IsTheLimitOfAPartThatMayGrow) {
  const FakeTree tree("dmem");
  const Cgroups groups = Cgroups::OpenAt(tree.root(), "yard");
  TaskSpec spec = Half();
  spec.gpus[0].limit = Mebibytes(200);
  const std::string lines = groups.DeviceLinesFor(spec, kAddresses);
  EXPECT_THAT(lines, HasSubstr("/dmem.max=drm/0000:3b:00.0/vram0 209715200"));
  EXPECT_THAT(lines, HasSubstr("/dmem.min=drm/0000:3b:00.0/vram0 104857600"));
}

TEST(DeviceMemoryLimit, ChangesWhileTheTaskRuns) {
  const FakeTree tree("dmem");
  const Cgroups groups = Cgroups::OpenAt(tree.root(), "yard");
  TaskSpec spec = Half();
  const std::string group = "yard/" + GroupName(spec.key);
  std::filesystem::create_directories(tree.root() + "/" + group);
  tree.Put(group + "/dmem.max", "");
  spec.gpus[0].limit = Mebibytes(300);
  groups.SetDeviceLimits(spec, kAddresses);
  EXPECT_THAT(tree.Read(group + "/dmem.max"), HasSubstr(" 314572800"));
}

TEST(DeviceMemoryLimit, IsLeftAloneForWholeGpusAndWithoutTheController) {
  const FakeTree with("dmem"), without("cpu memory");
  TaskSpec whole = Half();
  whole.gpus[0].part = MilliGpu(1000);
  EXPECT_THAT(Cgroups::OpenAt(with.root(), "yard").DeviceLinesFor(whole, kAddresses), IsEmpty());
  const Cgroups none = Cgroups::OpenAt(without.root(), "yard");
  EXPECT_FALSE(none.LimitsDevice(kAddresses[0]));
  EXPECT_THAT(none.DeviceLinesFor(Half(), kAddresses), IsEmpty());
}

}  // namespace
}  // namespace yard::engine

// Parts of a GPU in containers of a real daemon, on the fake driver that says in its name that it
// is one: the container sees the driver's files of the build, the machine has no GPU.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/containers/lab.h"
#include "tests/containers/workbench.h"

extern const char kSliceBuild[];  // see yard_paths

namespace yard::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kBuild = kSliceBuild;

class SliceInContainer : public ::testing::Test {
 protected:
  SliceInContainer() {
    ::setenv("YARD_FAKE_GPU", truth_.c_str(), 1);
    bench_.emplace([](LocalOptions& options) {
      options.declared = {};
      options.nvml = kBuild + "/test/fake/libnvidia-ml.so.1";
      options.cuda = kBuild + "/test/fake/libcuda.so.1";
      options.slice_library = kBuild + "/../../slice";
    });
  }
  // The fake driver maps it once for the whole program.
  static void TearDownTestSuite() { ::unlink(truth_.c_str()); }

  // A task with half a gigabyte of the only GPU. The machine's own libraries run the client.
  TaskSpec Part(const std::string& script) {
    TaskSpec spec = bench_->Shell(script);
    const GpuState gpu = bench_->engine().Nodes()->front().gpus.front();
    spec.gpus = {{gpu.uuid, MilliGpu(500), Mebibytes(512), 0}};
    spec.variables = {{"YARD_FAKE_GPU", truth_}, {"LD_LIBRARY_PATH", "/nowhere"}};
    for (const char* folder : {"/usr", "/lib", "/lib64"})
      spec.mounts.push_back(
          {MountKind::kHostPath, std::filesystem::canonical(folder), folder, true});
    spec.mounts.push_back({MountKind::kHostPath, kBuild, kBuild, true});
    // The container's root is nobody here, and device files of a GPU are open to all too.
    EXPECT_EQ(::chmod(truth_.c_str(), 0666), 0);
    spec.mounts.push_back({MountKind::kHostPath, truth_, truth_, false});
    return spec;
  }
  static std::string Ask() {
    return "printf 'init\\ninfo\\n' | " + kBuild + "/gpuyard-slice-client libcuda.so.1";
  }

  static inline const std::string truth_ = fmt::format("/tmp/gpuyard-fake-gpu-{}", ::getpid());
  std::optional<lab::Workbench> bench_;
};

TEST_F(SliceInContainer, IsSeenAsTheWholeGpu) {
  const TaskKey key = bench_->Launch(Part(Ask()));
  EXPECT_EQ(bench_->AwaitEnd(key).cause, EndCause::kCompleted) << bench_->LogOf(key);
  EXPECT_THAT(bench_->LogOf(key), HasSubstr(" 536870912 536870912\n"));
  EXPECT_THAT(bench_->Leftovers(), IsEmpty());
}

// Whatever the environment says: Vulkan's loader finds the layer at its place.
TEST_F(SliceInContainer, CountsVulkanWithAnEmptyEnvironment) {
  const std::string driver = R"({"file_format_version": "1.0.0", "ICD": {"library_path": ")" +
                             kBuild +
                             R"(/test/fake/libfake-vulkan.so", "api_version": "1.3.239"}})";
  const TaskKey key = bench_->Launch(Part(
      "echo '" + driver + "' >/tmp/driver.json; " +
      R"(printf 'open\nstart\nheaps\nalloc 402653184\nalloc 402653184\n' | env -i YARD_FAKE_GPU=)" +
      truth_ + " VK_ICD_FILENAMES=/tmp/driver.json " + kBuild + "/gpuyard-slice-vulkan"));
  EXPECT_EQ(bench_->AwaitEnd(key).cause, EndCause::kCompleted) << bench_->LogOf(key);
  EXPECT_THAT(bench_->LogOf(key), HasSubstr("0\n0\n536870912 536870912\n0\n-2\n"));
}

TEST_F(SliceInContainer, IsStillThereAfterARestart) {
  const TaskKey key = bench_->Launch(Part("echo ready; sleep 1000"));
  bench_->AwaitLog(key, "ready");
  bench_->Restart();
  ExecSpec spec;
  spec.command = {"sh", "-c", Ask()};
  auto session = bench_->engine().exec()->Exec(key, spec);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_THAT(lab::Listen(**session).output, HasSubstr(" 536870912 536870912\n"));
  ASSERT_TRUE(bench_->engine().Stop(key, {9, Micros(0)}));
  EXPECT_EQ(bench_->AwaitEnd(key).cause, EndCause::kSignal);
}

}  // namespace
}  // namespace yard::engine

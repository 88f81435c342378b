// Parts of a GPU through the engine, on the fake driver that says in its name that it is one.
#include "engine/local/gpu/slices.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gmock/gmock.h>

#include "engine/local/gpu/gpus.h"
#include "engine/local/gpu/slice_host.h"
#include "engine/local/tasks/task_folder.h"

extern const char kSliceBuild[];  // see yard_paths

namespace yard::engine::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

const char* const kBuild = kSliceBuild;

// The fake reads its switches on threads of the engine. They are made before there are any, and
// then only change their values: a variable that comes or goes moves the environment under a
// reader.
[[maybe_unused]] const bool kSwitchesMade = [] {
  for (const char* name : {"YARD_FAKE_GPU", "YARD_FAKE_XID", "YARD_FAKE_READINGS", "YARD_FAKE_TWIN",
                           "YARD_FAKE_MIG", "YARD_FAKE_UNPARKABLE"})
    ::setenv(name, "", 0);
  return true;
}();

}  // namespace

SliceHost::SliceHost() {
  options().nvml = std::string(kBuild) + "/test/fake/libnvidia-ml.so.1";
  options().cuda = std::string(kBuild) + "/test/fake/libcuda.so.1";
  options().slice_library = std::string(kBuild) + "/../../slice";
  options().memory_file = root() + "/meminfo";
  SetFreeMemory(Mebibytes(1 << 20));
  // The fake driver maps it once for the whole program.
  static const std::string truth = "/tmp/gpuyard-fake-gpu-" + std::to_string(::getpid());
  ::setenv("YARD_FAKE_GPU", truth.c_str(), 1);
  static const int at_exit = std::atexit([] { ::unlink(::getenv("YARD_FAKE_GPU")); });
  EXPECT_EQ(at_exit, 0);
}

void SliceHost::SetFreeMemory(Mebibytes free) const {
  std::ofstream(root() + "/meminfo") << "MemTotal: 4294967296 kB\n"
                                     << "MemAvailable: " << free.value * 1024 << " kB\n";
}

const LocalOptions& SlicesTest::options() {
  return dynamic_cast<SliceHost&>(const_cast<Host&>(host())).options();
}

TaskSpec SlicesTest::Part(const std::string& script) {
  TaskSpec spec = host().Shell(script);
  spec.gpus = {{engine().Nodes()->front().gpus.front().uuid, MilliGpu(500), Mebibytes(512), 0}};
  spec.variables = {{"YARD_FAKE_GPU", ::getenv("YARD_FAKE_GPU")}};
  return spec;
}

std::string SlicesTest::Ask(const std::string& lines) {
  return "printf '" + lines + "' | " + kBuild + "/gpuyard-slice-client libcuda.so.1";
}

std::string SlicesTest::Built(const std::string& file) {
  return std::string(kBuild) + "/" + file;
}

namespace {

INSTANTIATE_TEST_SUITE_P(Fake, SlicesTest,
                         ::testing::Values(Subject{"fake",
                                                   [] { return std::make_unique<SliceHost>(); }}));

TEST_P(SlicesTest, AreOfferedWhereTheyWork) {
  EXPECT_TRUE(engine().capabilities().gpu_slices);
  ASSERT_EQ(engine().Nodes()->front().gpus.size(), 1U);
  EXPECT_FALSE(engine().Nodes()->front().gpus.front().declared);
}

TEST_P(SlicesTest, ATaskSeesItsPartAsTheWholeGpu) {
  const TaskKey key = Launch(Part(Ask("init\\ninfo\\n")));
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_THAT(WholeLog(key), HasSubstr(" 536870912 536870912\n"));
}

TEST_P(SlicesTest, VulkanOfATaskIsCountedAndItsOwnDataFoldersStay) {
  const std::string driver = options().root + "/driver.json";
  std::ofstream(driver) << R"({"file_format_version": "1.0.0", "ICD": {"library_path": ")"
                        << Built("test/fake/libfake-vulkan.so")
                        << R"(", "api_version": "1.3.239"}})";
  TaskSpec spec = Part("printf 'open\\nstart\\nheaps\\nalloc 402653184\\nalloc 402653184\\n' | " +
                       Built("gpuyard-slice-vulkan") + "; echo ${XDG_DATA_DIRS#*:}");
  spec.variables.push_back({"VK_ICD_FILENAMES", driver});
  spec.variables.push_back({"XDG_DATA_DIRS", "/opt/share:/usr/share"});
  const TaskKey key = Launch(spec);
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_THAT(WholeLog(key), HasSubstr("0\n0\n536870912 536870912\n0\n-2\n"
                                       "/opt/share:/usr/share\n"));
}

TEST_P(SlicesTest, APartOfAnEarlierLifeLeavesNoFolder) {
  const TaskKey key = Launch(Part("echo ready; sleep 1000"));
  WaitLog(key, "ready");
  Close();
  const std::string& root = options().root;
  const std::int32_t shim = TaskFolder(root, key).ReadRecord().shim;
  ASSERT_EQ(::kill(shim, SIGKILL), 0);
  ::waitpid(shim, nullptr, 0);
  EXPECT_FALSE(std::filesystem::is_empty(root + "/slices"));
  Open();
  EXPECT_TRUE(std::filesystem::is_empty(root + "/slices"));
}

TEST_P(SlicesTest, WhatAHangingDriverSaidLastIsNoMeasurement) {
  const TaskKey key = Launch(Part("echo ready; sleep 1000"));
  WaitLog(key, "ready");
  WaitRunning(key);
  EXPECT_TRUE(engine().UsageOf({&key, 1}).front().gpu_memory);
  const std::string hang = std::string(::getenv("YARD_FAKE_GPU")) + ".hang";
  std::ofstream(hang) << "";
  EXPECT_FALSE(engine().UsageOf({&key, 1}).front().gpu_memory);
  ::unlink(hang.c_str());
}

TEST_P(SlicesTest, APartIsStillThereAfterARestart) {
  const TaskKey key = Launch(Part("sleep 1000"));
  WaitRunning(key);
  Restart();
  ExecSpec spec;
  spec.command = {"sh", "-c", Ask("init\\ninfo\\n")};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, spec);
  ASSERT_TRUE(session);
  EXPECT_THAT(ReadAll(**session), HasSubstr(" 536870912 536870912\n"));
  EXPECT_EQ((*session)->Wait(), 0);
}

TEST_P(SlicesTest, APartGrowsToItsLimitAndTheLimitMayChangeWhileItRuns) {
  TaskSpec spec = Part("sleep 1000");
  spec.gpus[0].limit = Mebibytes(2048);
  const TaskKey key = Launch(spec);
  WaitRunning(key);
  auto seen = [&](const std::string& lines) {
    ExecSpec exec;
    exec.command = {"sh", "-c", Ask(lines)};
    Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, exec);
    return session ? ReadAll(**session) : session.error().message;
  };
  EXPECT_THAT(seen("init\\ninfo\\nalloc linear 1073741824\\n"),
              HasSubstr(" 2147483648 2147483648\n0 "))
      << "a gigabyte above the request of half a one";
  spec.gpus[0].limit = Mebibytes(1024);
  ASSERT_TRUE(engine().gpu_limits()->SetGpuLimits(key, spec.gpus));
  EXPECT_THAT(seen("init\\ninfo\\nalloc linear 1610612736\\n"),
              HasSubstr(" 1073741824 1073741824\n2 "));
  EXPECT_EQ(engine().gpu_limits()->SetGpuLimits({}, spec.gpus).error().code, Code::kNotFound);
}

TEST_P(SlicesTest, WorkThatPassesItsPartBesideTheLibraryIsEndedWhereThatIsTheAnswer) {
  const_cast<LocalOptions&>(options()).gpu_over_limit.usual = GpuOverLimit::kKill;
  Restart();
  const TaskKey key =
      Launch(Part("(printf 'init\\nalloc linear 4294967296\\n'; sleep 1000) | env -u LD_PRELOAD "
                  "-u LD_LIBRARY_PATH " +
                  Built("gpuyard-slice-client") + " " + options().cuda));
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kSignal);
}

TEST_P(SlicesTest, OfAPartOnlyWhatItsOwnProcessesDoIsItsUse) {
  const TaskKey key = Launch(
      Part("(printf 'init\\n'; sleep 1000) | " + Built("gpuyard-slice-client") + " libcuda.so.1"));
  WaitLog(key, "0\n");
  ::setenv("YARD_FAKE_READINGS", "1", 1);
  const TaskUsage usage = engine().UsageOf({&key, 1}).front();
  ::setenv("YARD_FAKE_READINGS", "", 1);
  EXPECT_EQ(usage.gpu_percent, 20) << "of the GPU's 37";
  EXPECT_EQ(usage.gpu_memory, Mebibytes(300));
}

// This program's own context on the fake GPU.
class FakeContext {
 public:
  explicit FakeContext(const std::string& driver)
      : driver_(::dlopen(driver.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(driver_, nullptr) << ::dlerror();
    EXPECT_EQ(Find<int (*)(unsigned)>("cuInit")(0), 0);
    EXPECT_EQ((Find<int (*)(void**, unsigned, int)>("cuCtxCreate_v2")(&context_, 0, 0)), 0);
  }
  ~FakeContext() {
    Find<int (*)(void*)>("cuCtxDestroy_v2")(context_);
    ::dlclose(driver_);
  }
  FakeContext(const FakeContext&) = delete;
  FakeContext& operator=(const FakeContext&) = delete;

 private:
  template <class Function>
  Function Find(const char* name) {
    return reinterpret_cast<Function>(::dlsym(driver_, name));
  }

  void* driver_;
  void* context_ = nullptr;
};

TEST_P(SlicesTest, AProcessIsForeignOnlyIfItStaysSoWhenLookedAtAgain) {
  const FakeContext context(options().cuda);
  Gpus gpus(options(), "box");
  int asked = 0;
  auto ours_from = [&](int time) {
    asked = 0;
    return gpus.Read(
        [&, time] { return ++asked >= time ? std::vector<int>{::getpid()} : std::vector<int>{}; });
  };
  EXPECT_EQ(ours_from(1).front().foreign, Mebibytes(0));
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(ours_from(2).front().foreign, Mebibytes(0)) << "it started between the two lists";
  EXPECT_EQ(asked, 2);
  EXPECT_GT(ours_from(3).front().foreign, Mebibytes(0)) << "it is not ours";
  EXPECT_EQ(asked, 2);
}

TEST_P(SlicesTest, AGpuThatReportsABreakdownIsFaultyAndStaysSo) {
  ::setenv("YARD_FAKE_XID", "31", 1);
  EXPECT_EQ(engine().Nodes()->front().gpus.front().fault, "") << "a program's own mistake";
  ::setenv("YARD_FAKE_XID", "79", 1);
  EXPECT_EQ(engine().Nodes()->front().gpus.front().fault, "XID 79: the GPU has fallen off the bus");
  EXPECT_NE(engine().Nodes()->front().gpus.front().fault, "");
}

TEST_P(SlicesTest, ErrorsThatAGpuReportsAreCountedAndTheNewestIsNamed) {
  EXPECT_EQ(engine().Nodes()->front().gpus.front().health->xids, 0);
  ::setenv("YARD_FAKE_XID", "31", 1);
  const GpuHealth health = engine().Nodes()->front().gpus.front().health.value();
  EXPECT_EQ(health.xids, 1);
  EXPECT_EQ(health.last_xid, "XID 31");
}

TEST_P(SlicesTest, AGpuTellsHowItIsAsFarAsItKnows) {
  ::setenv("YARD_FAKE_READINGS", "1", 1);
  const GpuState gpu = engine().Nodes()->front().gpus.front();
  ::setenv("YARD_FAKE_READINGS", "", 1);
  ASSERT_TRUE(gpu.health);
  EXPECT_EQ(gpu.busy_percent, 37);
  EXPECT_EQ(gpu.health->temperature_c, 61);
  EXPECT_EQ(gpu.health->power_mw, 312'500);
  EXPECT_EQ(gpu.health->power_limit_mw, 700'000);
  EXPECT_EQ(gpu.health->energy_mj, 3'795'167'250);
  EXPECT_EQ(gpu.health->sm_clock_mhz, 1755);
  EXPECT_EQ(gpu.health->sm_clock_max_mhz, 1980);
  EXPECT_EQ(gpu.health->memory_clock_mhz, std::nullopt) << "not supported is not zero";
  EXPECT_EQ(gpu.health->ecc_corrected, 3);
  EXPECT_EQ(gpu.health->ecc_uncorrected, 0);
  EXPECT_EQ(gpu.health->remapped_rows, std::nullopt);
  EXPECT_THAT(gpu.health->slowed_by, Optional(ElementsAre("powerLimit", "heat")));
}

TEST_P(SlicesTest, WhatAGpuDoesNotTellIsAbsent) {
  const GpuState gpu = engine().Nodes()->front().gpus.front();
  ASSERT_TRUE(gpu.health);
  EXPECT_EQ(gpu.busy_percent, std::nullopt);
  EXPECT_EQ(gpu.health->temperature_c, std::nullopt);
  EXPECT_EQ(gpu.health->power_mw, std::nullopt);
  EXPECT_EQ(gpu.health->sm_clock_mhz, std::nullopt);
  EXPECT_EQ(gpu.health->ecc_corrected, std::nullopt);
  EXPECT_EQ(gpu.health->slowed_by, std::nullopt);
  EXPECT_TRUE(gpu.links.empty()) << "it is the only one";
}

TEST_P(SlicesTest, AGpuKnowsHowNearTheOthersAre) {
  ::setenv("YARD_FAKE_TWIN", "1", 1);
  const auto by_pci = engine().Nodes()->front().gpus;
  Restart();  // links are read once
  ::setenv("YARD_FAKE_READINGS", "1", 1);
  const auto by_nvlink = engine().Nodes()->front().gpus;
  ::setenv("YARD_FAKE_READINGS", "", 1);
  ::setenv("YARD_FAKE_TWIN", "", 1);
  ASSERT_EQ(by_pci.size(), 2U);
  ASSERT_EQ(by_pci[0].links.size(), 1U);
  EXPECT_EQ(by_pci[0].links[0].uuid, by_pci[1].uuid);
  EXPECT_EQ(by_pci[0].links[0].closeness, slice::Closeness::kSwitch);
  EXPECT_EQ(by_pci[0].links[0].nvlinks, std::nullopt);
  ASSERT_EQ(by_nvlink[1].links.size(), 1U);
  EXPECT_EQ(by_nvlink[1].links[0].uuid, by_nvlink[0].uuid);
  EXPECT_EQ(by_nvlink[1].links[0].closeness, slice::Closeness::kNvlink);
  EXPECT_EQ(by_nvlink[1].links[0].nvlinks, 4);
}

TEST_P(SlicesTest, AHangingDriverMeasuresNothing) {
  ::setenv("YARD_FAKE_READINGS", "1", 1);
  EXPECT_TRUE(engine().Nodes()->front().gpus.front().health);
  const std::string hang = std::string(::getenv("YARD_FAKE_GPU")) + ".hang";
  std::ofstream(hang) << "";
  const GpuState gpu = engine().Nodes()->front().gpus.front();
  ::unlink(hang.c_str());
  ::setenv("YARD_FAKE_READINGS", "", 1);
  EXPECT_EQ(gpu.fault, "NVML hangs");
  EXPECT_NE(gpu.memory, Mebibytes(0)) << "its size does not change";
  EXPECT_FALSE(gpu.health);
  EXPECT_FALSE(gpu.busy_percent);
  EXPECT_FALSE(gpu.used);
}

TEST_P(SlicesTest, TheInstancesOfAGpuInMigModeAreGpusOfTheirOwn) {
  ::setenv("YARD_FAKE_MIG", "2", 1);
  const auto gpus = engine().Nodes()->front().gpus;
  ::setenv("YARD_FAKE_MIG", "", 1);
  ASSERT_EQ(gpus.size(), 2U);
  for (const GpuState& gpu : gpus) {
    EXPECT_TRUE(gpu.mig);
    EXPECT_TRUE(gpu.uuid.starts_with("MIG-")) << gpu.uuid;
    EXPECT_THAT(gpu.model, HasSubstr("MIG 1g.10gb"));
    EXPECT_EQ(gpu.memory, Mebibytes(10240));
  }
  EXPECT_NE(gpus[0].uuid, gpus[1].uuid);
}

TEST_P(SlicesTest, AWholeMigInstanceIsGivenByItsName) {
  ::setenv("YARD_FAKE_MIG", "2", 1);
  TaskSpec spec = host().Shell("echo sees $CUDA_VISIBLE_DEVICES $LD_PRELOAD.");
  const std::string uuid = engine().Nodes()->front().gpus.back().uuid;
  spec.gpus = {{.uuid = uuid, .part = MilliGpu(1000), .memory = Mebibytes(10240)}};
  const TaskKey key = Launch(spec);
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
  ::setenv("YARD_FAKE_MIG", "", 1);
  EXPECT_THAT(WholeLog(key), HasSubstr("sees " + uuid + " .")) << "and no library stands in";
}

}  // namespace
}  // namespace yard::engine::testing

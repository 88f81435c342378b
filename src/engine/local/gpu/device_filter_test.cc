// Device nodes with the numbers of NVIDIA's driver, opened by plain tasks on a machine of root. No
// driver answers behind them here: a node that may be opened says "No such device or address", and
// one that is closed says "Operation not permitted".
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>

#include "engine/local/gpu/slice_host.h"
#include "engine/local/native/group_files.h"

namespace yard::engine::testing {
namespace {

constexpr const char* kOpenAll =
    "for node in nvidia0 nvidia1 nvidiactl null; do\n"
    "  echo $node $(LC_ALL=C cat $NODES/$node 2>&1 | sed 's/.*: //')\ndone";

class DeviceFilterTest : public SlicesTest {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    ::setenv("YARD_FAKE_TWIN", "1", 1);
    SlicesTest::SetUp();
    nodes_ = options().root + "-nodes";
    std::filesystem::create_directory(nodes_);
    MakeNode("nvidia0", makedev(195, 0));
    MakeNode("nvidia1", makedev(195, 1));
    MakeNode("nvidiactl", makedev(195, 255));
    MakeNode("null", makedev(1, 3));
  }
  void TearDown() override {
    if (::geteuid() != 0) return;
    std::filesystem::remove_all(nodes_);
    SlicesTest::TearDown();
    ::setenv("YARD_FAKE_TWIN", "", 1);
  }
  void MakeNode(const std::string& name, dev_t number) const {
    const std::string path = nodes_ + "/" + name;
    ASSERT_EQ(::mknod(path.c_str(), S_IFCHR | 0666, number), 0);
    ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  }
  // As a plain account, with the GPUs of those minor numbers.
  TaskSpec Opening(std::vector<std::size_t> gpus) {
    TaskSpec spec = host().Shell(kOpenAll);
    spec.account = Account{61'001, 61'001, {}};
    spec.variables = {{"NODES", nodes_}};
    const std::vector<GpuState> there = engine().Nodes()->front().gpus;
    for (const std::size_t gpu : gpus)
      spec.gpus.push_back({there.at(gpu).uuid, MilliGpu(1000), there.at(gpu).memory, 0});
    return spec;
  }
  std::string Run(const TaskSpec& spec) {
    const TaskKey key = Launch(spec);
    const TaskEnd end = WaitEnd(key);
    EXPECT_EQ(end.cause, EndCause::kCompleted) << end.message;
    return WholeLog(key);
  }
  // The same machine with the controller of the first version instead of the program.
  void UseV1() {
    Close();
    const_cast<LocalOptions&>(options()).device_filter = DeviceFilter::kController;
    Open();
  }
  static bool HasV1() {
    const std::vector<GroupTree> trees = ReadGroupTrees();
    return std::ranges::any_of(trees, [](const GroupTree& tree) {
      return tree.is_v1 && HasWord(tree.controllers, "devices", ',');
    });
  }

  std::string nodes_;
};

INSTANTIATE_TEST_SUITE_P(Fake, DeviceFilterTest,
                         ::testing::Values(Subject{"fake",
                                                   [] { return std::make_unique<SliceHost>(); }}));

constexpr const char* kNone =
    "nvidia0 Operation not permitted\nnvidia1 Operation not permitted\n"
    "nvidiactl Operation not permitted\nnull\n";
constexpr const char* kSecond =
    "nvidia0 Operation not permitted\nnvidia1 No such device or address\n"
    "nvidiactl No such device or address\nnull\n";

TEST_P(DeviceFilterTest, IsOffered) {
  EXPECT_TRUE(engine().capabilities().gpu_filter);
  EXPECT_EQ(engine().capabilities().gpu_filter_missing, "");
}

TEST_P(DeviceFilterTest, ATaskWithoutAGpuOpensNone) {
  EXPECT_EQ(Run(Opening({})), kNone);
}

TEST_P(DeviceFilterTest, ATaskOpensTheGpuItWasGivenAndNoOther) {
  EXPECT_EQ(Run(Opening({1})), kSecond);
}

TEST_P(DeviceFilterTest, ACommandBesideTheTaskOpensNoMore) {
  TaskSpec spec = Opening({1});
  spec.command = {"/bin/sh", "-c", "echo ready; sleep 1000"};
  spec.args.clear();
  const TaskKey key = Launch(spec);
  WaitLog(key, "ready");
  WaitRunning(key);
  ExecSpec beside;
  beside.command = {"/bin/sh", "-c", kOpenAll};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, beside);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_EQ(ReadAll(**session), kSecond);
}

TEST_P(DeviceFilterTest, TheControllerOfTheFirstVersionDoesTheSame) {
  if (!HasV1()) GTEST_SKIP() << "this machine has no devices controller of control groups v1";
  UseV1();
  EXPECT_EQ(Run(Opening({})), kNone);
  EXPECT_EQ(Run(Opening({1})), kSecond);
}

}  // namespace
}  // namespace yard::engine::testing

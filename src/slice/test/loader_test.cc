// U1 and U2: however a program finds the driver, it finds the slice; every version of a function
// is answered in that version.
#include <sys/wait.h>

#include "slice/test/harness.h"

namespace yard::slice {
namespace {

constexpr std::uint64_t kHard = 3 * kGib;

std::string ClientPath() {
  return BuildPath("gpuyard-slice-client");
}

struct Way {
  const char* name;
  const char* library;  // {lib} stands for the slice's library folder
  bool preload, search;
};

class LoaderMatrix : public testing::TestWithParam<Way> {};

TEST_P(LoaderMatrix, ShowsTheSlice) {
  Node node;
  const std::string folder = node.Add("a", kHard);
  Environment environment = node.Base();
  if (GetParam().preload) environment.push_back("LD_PRELOAD=" + folder + "/lib/libcuda.so.1");
  if (GetParam().search) environment.push_back("LD_LIBRARY_PATH=" + folder + "/lib");
  std::string library = GetParam().library;
  if (const auto at = library.find("{lib}"); at == 0) library = folder + "/lib" + library.substr(5);
  Client client({ClientPath(), library}, environment);
  ASSERT_EQ(client.Ask("init"), "0");
  EXPECT_EQ(client.Numbers("info"),
            (std::vector<std::int64_t>{0, kHard - 300 * kMib, kHard, kHard}));
}

INSTANTIATE_TEST_SUITE_P(Ways, LoaderMatrix,
                         testing::Values(Way{"PreloadAndSearch", "libcuda.so.1", true, true},
                                         Way{"SearchOnly", "libcuda.so.1", false, true},
                                         Way{"SearchDevelopmentName", "libcuda.so", false, true},
                                         Way{"PreloadOnly", "libcuda.so.1", true, false},
                                         Way{"DefaultSymbols", "default", true, false},
                                         Way{"NextSymbols", "next", true, false},
                                         Way{"DeepBind", "deepbind", true, true},
                                         Way{"OurAbsolutePath", "{lib}/libcuda.so.1", false,
                                             false}),
                         [](const auto& way) { return std::string(way.param.name); });

TEST(Loader, GivesPythonTheSlice) {
  Node node;
  const std::string folder = node.Add("a", kHard);
  Client python({"/usr/bin/env", "python3", "-c",
                 "import ctypes\nc = ctypes.CDLL('libcuda.so.1')\nn = ctypes.c_size_t()\n"
                 "c.cuInit(0)\nc.cuDeviceTotalMem_v2(ctypes.byref(n), 0)\nprint(n.value)"},
                node.Inside(folder));
  EXPECT_EQ(python.Receive(), std::to_string(kHard));
}

TEST(Loader, WithoutAKeeperThereIsNoDevice) {
  Node node;
  const std::string folder = node.Add("a", kHard);
  node.StopKeeper();
  const auto client = node.Start(folder);
  EXPECT_EQ(client->Ask("init"), "100");
}

TEST(Loader, ManagementLibraryShowsTheSliceAndOnlyItsProcesses) {
  Node node;
  const std::string folder = node.Add("a", kHard), other = node.Add("b", kHard);
  const auto mine = node.Start(folder), theirs = node.Start(other);
  ASSERT_EQ(mine->Ask("init"), "0");
  ASSERT_EQ(theirs->Ask("init"), "0");
  Client python({"/usr/bin/env", "python3", "-c",
                 "import ctypes\nn = ctypes.CDLL('libnvidia-ml.so.1')\nn.nvmlInit_v2()\n"
                 "d = ctypes.c_void_p()\nn.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(d))\n"
                 "m = (ctypes.c_ulonglong * 3)()\nn.nvmlDeviceGetMemoryInfo(d, m)\n"
                 "c = ctypes.c_uint(16)\nb = (ctypes.c_ulonglong * 64)()\n"
                 "n.nvmlDeviceGetComputeRunningProcesses_v3(d, ctypes.byref(c), b)\n"
                 "print(m[0], m[2], c.value, b[0] & 0xffffffff)"},
                node.Inside(folder));
  EXPECT_EQ(python.Receive(), std::to_string(kHard) + " " + std::to_string(300 * kMib) + " 1 " +
                                  std::to_string(mine->pid()));
}

constexpr const char* kMemoryNames[] = {
    "cuMemAlloc",   "cuMemFree",       "cuMemAllocPitch",         "cuMemAllocManaged",
    "cuMemGetInfo", "cuMemAllocAsync", "cuMemAllocFromPoolAsync", "cuMemFreeAsync",
    "cuMemCreate",  "cuCtxCreate",     "cuDeviceTotalMem",        "cuGetProcAddress"};
constexpr const char* kLaunchNames[] = {"cuLaunchKernel", "cuLaunchKernelEx"};
constexpr int kVersions[] = {11080, 12000, 12020, 12040, 12060, 12090, 13000, 13030};

// The answer without its middle word, which says who answers.
std::string CodeAndStatus(const std::string& reply) {
  return reply.substr(0, reply.find(' ')) + reply.substr(reply.rfind(' '));
}

TEST(VersionMatrix, AnswersLikeTheDriverAndExchangesWhatItCounts) {
  Node node;
  const auto inside = node.Start(node.Add("a", kHard));
  Client outside({ClientPath(), BuildPath("test/fake/libcuda.so.1")}, node.Base());
  for (const char* const name : kMemoryNames)
    for (const int version : kVersions)
      for (const int flags : {0, 1, 2}) {
        const std::string ask = std::string("lookup ") + name + " " + std::to_string(version) +
                                " " + std::to_string(flags);
        const std::string reply = inside->Ask(ask);
        EXPECT_EQ(CodeAndStatus(reply), CodeAndStatus(outside.Ask(ask))) << ask;
        EXPECT_NE(reply.find("ours"), std::string::npos) << ask << ": " << reply;
      }
}

TEST(VersionMatrix, LeavesLaunchesToTheDriverUnlessThereIsAShare) {
  Node node;
  const auto plain = node.Start(node.Add("a", kHard));
  const auto shared = node.Start(node.Add("b", kHard, 500, ShareMode::kFair));
  for (const char* const name : kLaunchNames) {
    const std::string ask = std::string("lookup ") + name + " 12000 0";
    EXPECT_EQ(plain->Ask(ask), "0 real 0") << name;
    EXPECT_EQ(shared->Ask(ask), "0 ours 0") << name;
  }
}

}  // namespace
}  // namespace yard::slice

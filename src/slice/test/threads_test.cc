// Many threads of one process. Under ThreadSanitizer the library and its client are watched too; a
// race shows in the exit status.
#include "slice/test/harness.h"

namespace yard::slice {
namespace {

#ifdef YARD_SLICE_WATCHED
const std::string kLibrary = BuildPath("test/watched");
const std::string kProgram = BuildPath("test/slice_watched_client");
#else
const std::string kLibrary = BuildPath("../../slice");
const std::string kProgram = BuildPath("gpuyard-slice-client");
#endif

class Threads : public testing::TestWithParam<ShareMode> {};

TEST_P(Threads, OfOneProcessKeepTheBooksRight) {
  Node node;
  node.StartKeeper(kLibrary);
  const std::string folder = node.Add("a", 2 * kGib, 500, GetParam());
  Environment environment = node.Base();
  environment.push_back("LD_LIBRARY_PATH=" + folder + "/lib");
  Client client({kProgram, "libcuda.so.1"}, environment);
  ASSERT_EQ(client.Ask("init"), "0");
  EXPECT_EQ(client.Ask("threads 6 25"), "0");
  EXPECT_EQ(client.Numbers("info")[0], 0);
  EXPECT_EQ(node.State("a").used, 300 * kMib) << "only the context is left";
  EXPECT_EQ(TrueBytes(client.pid()), 300 * kMib);
  EXPECT_EQ(client.Finish(), 0);
}

INSTANTIATE_TEST_SUITE_P(Shares, Threads,
                         testing::Values(ShareMode::kNone, ShareMode::kStrict, ShareMode::kFair),
                         [](const auto& mode) {
                           return std::string(mode.param == ShareMode::kNone     ? "none"
                                              : mode.param == ShareMode::kStrict ? "strict"
                                                                                 : "fair");
                         });

}  // namespace
}  // namespace yard::slice

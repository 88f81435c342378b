#include "engine/slurm/data_delta.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/slurm/data_scripts.h"

namespace yard::engine::slurm {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Two folders of one project, gone at the end.
class DataDeltaTest : public ::testing::Test {
 protected:
  DataDeltaTest() {
    char name[] = "/tmp/gyd-XXXXXX";
    root_ = ::mkdtemp(name);
    for (const char* one : {"old", "new"}) fs::create_directories(root_ / one / "src");
  }
  ~DataDeltaTest() override { fs::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    std::ofstream(root_ / path) << text;
  }
  void Share(const std::string& path) {
    fs::create_hard_link(root_ / "old" / path, root_ / "new" / path);
  }
  DataDelta Delta() {
    return Compare(*ListDataFolder((root_ / "old").string()),
                   *ListDataFolder((root_ / "new").string()));
  }

  fs::path root_;
};

TEST_F(DataDeltaTest, SendsWhatIsNotTheSameFile) {
  Write("old/src/a", "same");
  Write("old/src/b", "old");
  Write("old/src/gone", "x");
  Share("src/a");
  Write("new/src/b", "new");
  Write("new/src/c", "c");
  const DataDelta delta = Delta();
  EXPECT_THAT(delta.sent, UnorderedElementsAre("src/b", "src/c"));
  EXPECT_THAT(delta.removed, ElementsAre("src/gone"));
  EXPECT_THAT(delta.folders, IsEmpty());
  EXPECT_EQ(delta.shared, 1U);
}

TEST_F(DataDeltaTest, AFolderThatBecameAFileGoesFirst) {
  fs::create_directories(root_ / "old/x/y");
  Write("new/x", "a file");
  fs::create_symlink("/etc", root_ / "new/out");
  const DataDelta delta = Delta();
  EXPECT_THAT(delta.removed, ElementsAre("x", "x/y"));
  EXPECT_THAT(delta.sent, UnorderedElementsAre("x", "out"));
}

TEST_F(DataDeltaTest, ALinkIsNeverFollowed) {
  fs::create_symlink("/", root_ / "new/all");
  EXPECT_THAT(Delta().sent, ElementsAre("all"));
}

TEST(PathList, HoldsAnyNameAsOnePath) {
  const std::vector<std::string> paths = {"-rf", "a\nb"};
  EXPECT_EQ(PathList(paths), std::string("./-rf\0./a\nb\0", 12));
}

}  // namespace
}  // namespace yard::engine::slurm

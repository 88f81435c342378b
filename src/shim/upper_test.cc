#include "shim/upper.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace yard::shim {
namespace {

namespace fs = std::filesystem;

class Layer : public ::testing::Test {
 protected:
  void SetUp() override {
    char made[] = "/tmp/gpuyard-layer-XXXXXX";
    ASSERT_NE(mkdtemp(made), nullptr);
    top_ = made;
  }
  void TearDown() override { fs::remove_all(top_); }
  void Write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(top_ + path).parent_path());
    std::ofstream(top_ + path) << text;
  }
  LeftFiles Left() const { return FilesIn(top_.c_str()); }

  std::string top_;
};

TEST_F(Layer, TellsOfFilesThatGoWithTheContainer) {
  Write("/opt/out/model.bin", "weights");
  const LeftFiles left = Left();
  EXPECT_EQ(left.files, 1);
  EXPECT_EQ(left.bytes, 7);
  EXPECT_TRUE(left.is_all);
  EXPECT_STREQ(left.first, "/opt/out/model.bin");
}

TEST_F(Layer, SaysNothingOfWhatIsMeantToGo) {
  Write("/tmp/scratch", "x");
  Write("/var/lib/apt/lists", "x");
  Write("/opt/.cache/pip", "x");
  Write("/srv/__pycache__/a.pyc", "x");
  Write("/etc/hosts", "");  // something was mounted there
  fs::create_symlink("/etc/passwd", top_ + "/link");
  EXPECT_EQ(Left().files, 0);
  EXPECT_EQ(FilesIn((top_ + "/nowhere").c_str()).files, 0);
}

TEST_F(Layer, FollowsNoLinkOutOfIt) {
  Write("/real/file", "x");
  fs::create_directory_symlink("/etc", top_ + "/escape");
  EXPECT_EQ(Left().files, 1);
}

TEST_F(Layer, StopsCountingWhereItWouldTakeLong) {
  for (int i = 0; i < 20'001; ++i) Write("/many/" + std::to_string(i), "x");
  EXPECT_FALSE(Left().is_all);
}

}  // namespace
}  // namespace yard::shim

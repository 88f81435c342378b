#include "shim/tree.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace yard::shim {
namespace {

namespace fs = std::filesystem;

class Trees : public ::testing::Test {
 protected:
  void SetUp() override {
    char made[] = "/tmp/gpuyard-tree-XXXXXX";
    ASSERT_NE(mkdtemp(made), nullptr);
    top_ = made;
  }
  void TearDown() override {
    RemoveTree(AT_FDCWD, top_.c_str());
    EXPECT_FALSE(fs::exists(top_));
  }
  // Folders in folders, with a file in each.
  static void Nest(const std::string& at, int levels) {
    int folder = open(at.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < levels; ++i) {
      ASSERT_EQ(mkdirat(folder, "deep", 0700), 0);
      int inner = openat(folder, "deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      close(folder);
      folder = inner;
      close(openat(folder, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    }
    close(folder);
  }

  std::string top_;
};

TEST_F(Trees, GoHoweverDeepTheyAre) {
  fs::create_directory(top_ + "/work");
  Nest(top_ + "/work", 3000);
  RemoveTree(AT_FDCWD, (top_ + "/work").c_str());
  EXPECT_FALSE(fs::exists(top_ + "/work"));
}

TEST_F(Trees, GoWithFewDescriptors) {
  Nest(top_, 500);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few{.rlim_cur = 100, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  EmptyFolder(AT_FDCWD, top_.c_str());
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(fs::is_empty(top_));
}

TEST_F(Trees, GoThoughSomebodyHasTakenTheNamesInBetween) {
  Nest(top_, 100);
  for (int i = 0; i < 5; ++i) {
    fs::create_directories(top_ + "/gpuyard-removed-" + std::to_string(i) + "/full");
  }
  std::ofstream(top_ + "/gpuyard-removed-5") << "a file";
  EmptyFolder(AT_FDCWD, top_.c_str());
  EXPECT_TRUE(fs::is_empty(top_));
}

TEST_F(Trees, LeaveWhatLinksLeadTo) {
  fs::create_directories(top_ + "/other/kept");
  fs::create_directory(top_ + "/work");
  fs::create_directory_symlink(top_ + "/other", top_ + "/work/link");
  RemoveTree(AT_FDCWD, (top_ + "/work").c_str());
  EXPECT_FALSE(fs::exists(top_ + "/work"));
  EXPECT_TRUE(fs::exists(top_ + "/other/kept"));
  RemoveTree(AT_FDCWD, (top_ + "/work/none").c_str());
}

}  // namespace
}  // namespace yard::shim

#include "cli/job/ignore.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace yard::cli {
namespace {

namespace fs = std::filesystem;

bool GitSays(std::string_view line, std::string_view path, bool is_folder = false) {
  const auto rules = ReadIgnoreRules(line, IgnoreGrammar::kGit);
  return rules.size() == 1 && Matches(rules[0], path, is_folder);
}

TEST(IgnoreRule, AMatchWithoutASlashIsAtAnyDepth) {
  EXPECT_TRUE(GitSays("*.pyc", "a/b/c.pyc"));
  EXPECT_TRUE(GitSays("logs", "a/logs"));
  EXPECT_FALSE(GitSays("logs", "a/logs2"));
}

TEST(IgnoreRule, ASlashTiesItToTheFolderOfTheFile) {
  EXPECT_TRUE(GitSays("/logs", "logs"));
  EXPECT_FALSE(GitSays("/logs", "a/logs"));
  EXPECT_TRUE(GitSays("a/*.txt", "a/x.txt"));
  EXPECT_FALSE(GitSays("a/*.txt", "a/b/x.txt"));
}

TEST(IgnoreRule, TwoStarsAreAnyFolders) {
  EXPECT_TRUE(GitSays("a/**/z", "a/z"));
  EXPECT_TRUE(GitSays("a/**/z", "a/b/c/z"));
  EXPECT_TRUE(GitSays("a/**", "a/b/c"));
  EXPECT_FALSE(GitSays("a/**", "a"));
}

TEST(IgnoreRule, ASlashAtTheEndIsForFoldersOnly) {
  EXPECT_TRUE(GitSays("build/", "build", true));
  EXPECT_FALSE(GitSays("build/", "build", false));
}

TEST(IgnoreRule, CommentsAndEmptyLinesSayNothing) {
  EXPECT_TRUE(ReadIgnoreRules("# x\n\n  \n", IgnoreGrammar::kGit).empty());
  EXPECT_TRUE(GitSays("\\#x", "#x"));
}

class IgnoreTest : public ::testing::Test {
 protected:
  IgnoreTest() {
    char name[] = "/tmp/gyi-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  ~IgnoreTest() override { fs::remove_all(root_); }
  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  Ignore Open(std::vector<std::string> outputs = {}) {
    return {root_.string(), std::move(outputs)};
  }

  fs::path root_;
};

TEST_F(IgnoreTest, TheDeeperFileAndTheLastLineWin) {
  Write(".gitignore", "*.bin\n!keep.bin\n");
  Write("sub/.gitignore", "!*.bin\n");
  Ignore ignore = Open();
  EXPECT_TRUE(ignore.Skips("a.bin", false));
  EXPECT_FALSE(ignore.Skips("keep.bin", false));
  EXPECT_FALSE(ignore.Skips("sub/a.bin", false));
}

TEST_F(IgnoreTest, DockersPatternsStandAtTheTopAndMayBringBackWhatAFolderHolds) {
  Write(".dockerignore", "docs/\n**/__pycache__\n!docs/licenses\n");
  Ignore ignore = Open();
  EXPECT_TRUE(ignore.Skips("docs/a.md", false));
  EXPECT_FALSE(ignore.Skips("docs/licenses", true));
  EXPECT_FALSE(ignore.Skips("docs/licenses/mit", false));
  EXPECT_FALSE(ignore.Skips("a/docs", true));
  EXPECT_TRUE(ignore.Skips("a/__pycache__/x.pyc", false));
}

TEST_F(IgnoreTest, OurOwnFileComesLast) {
  Write(".gitignore", "assets/\n");
  Write(".gpuyardignore", "!assets/\nvideos\n");
  Ignore ignore = Open();
  EXPECT_FALSE(ignore.Skips("assets", true));
  EXPECT_TRUE(ignore.Skips("videos", true));
}

TEST_F(IgnoreTest, GitsOwnFolderAndOutputsStayOut) {
  Ignore ignore = Open({"logs"});
  EXPECT_TRUE(ignore.Skips(".git", true));
  EXPECT_TRUE(ignore.Skips("sub/.git", false));
  EXPECT_FALSE(ignore.Skips(".github", true));
  EXPECT_TRUE(ignore.Skips("logs", true));
  EXPECT_FALSE(ignore.Skips("a/logs", true));
}

TEST_F(IgnoreTest, AnIgnoreFileThatIsALinkIsNamedAndNotRead) {
  fs::create_symlink("/etc/passwd", root_ / ".dockerignore");
  EXPECT_EQ(Open().problems().size(), 1U);
}

}  // namespace
}  // namespace yard::cli

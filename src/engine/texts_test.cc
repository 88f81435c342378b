#include "engine/texts.h"

#include <gtest/gtest.h>

namespace yard::engine {
namespace {

TEST(TaskTexts, OfAnUsualTaskAreTaken) {
  TaskSpec spec{.command = {"sh", "-c", "echo a\n\techo b\x1f"}, .working_dir = "/home/ann b"};
  spec.variables = {{"A", "several\nlines"}};
  spec.mounts = {{MountKind::kFile, std::string("bytes\0\x1f", 7), "/keys/a"},
                 {MountKind::kHostPath, "/data", "/data"}};
  EXPECT_TRUE(CheckTexts(spec));
}

TEST(TaskTexts, HoldNoControlCharacterInNamesAndPaths) {
  for (const std::string& bad : {std::string("/a\x1f/etc"), std::string("/a\n"),
                                 std::string("/a\x7f"), std::string("/a\0b", 4)}) {
    EXPECT_FALSE(CheckTexts({.working_dir = bad}));
    EXPECT_FALSE(CheckTexts({.container = Container{.image = bad}}));
    EXPECT_FALSE(CheckTexts({.variables = {{bad, "value"}}}));
    EXPECT_FALSE(CheckTexts({.mounts = {{MountKind::kFile, "content", bad}}}));
    EXPECT_FALSE(CheckTexts({.mounts = {{MountKind::kHostPath, bad, "/data"}}}));
    EXPECT_FALSE(CheckTexts({.mounts = {{MountKind::kNfs, "host:" + bad, "/data"}}}));
  }
}

TEST(TaskTexts, AreNotCutOffByANulByte) {
  const std::string cut("a\0b", 3);
  EXPECT_FALSE(CheckTexts({.command = {"sh", cut}}));
  EXPECT_FALSE(CheckTexts({.args = {cut}}));
  EXPECT_FALSE(CheckTexts({.variables = {{"A", cut}}}));
}

}  // namespace
}  // namespace yard::engine

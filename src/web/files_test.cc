#include "web/files.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::web {
namespace {

using ::testing::HasSubstr;

TEST(DashboardFiles, AreSortedAndHaveAPageToBeginWith) {
  EXPECT_TRUE(std::ranges::is_sorted(Files(), {}, &File::path));
  const auto page = std::ranges::find(Files(), "/index.html", &File::path);
  ASSERT_NE(page, Files().end());
  EXPECT_THAT(page->content_type, HasSubstr("text/html"));
  EXPECT_THAT(std::string(page->plain), HasSubstr("Gpuyard"));
  EXPECT_EQ(page->lifetime, Lifetime::kChecked);
}

TEST(DashboardFiles, AreCompressedOnlyWhereThatPays) {
  for (const File& file : Files()) {
    if (file.plain.empty()) continue;
    EXPECT_LT(file.gzip.size(), file.plain.size()) << file.path;
    if (!file.gzip.empty()) {
      EXPECT_EQ(file.gzip.substr(0, 2), "\x1f\x8b") << file.path;
    }
    EXPECT_LT(file.brotli.size(), file.plain.size()) << file.path;
    EXPECT_EQ(file.tag.size(), 16U) << file.path;
    EXPECT_EQ(file.plain.data()[file.plain.size()], '\0') << file.path;
  }
}

}  // namespace
}  // namespace yard::web

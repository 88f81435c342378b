#include "slice/agent/context_sizes.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

namespace yard::slice {
namespace {

constexpr std::uint64_t kMib = 1ULL << 20;

class ContextSizesTest : public testing::Test {
 protected:
  ContextSizesTest() {
    std::string pattern = "/tmp/gys-sizes-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~ContextSizesTest() override { std::filesystem::remove_all(folder_); }
  std::string File() const { return folder_ + "/sizes"; }

 private:
  std::string folder_;
};

TEST_F(ContextSizesTest, AreKeptPerGpuAndDriver) {
  ContextSizes sizes(File(), "580.1");
  EXPECT_EQ(sizes.SizeOf("GPU-a"), 0U);
  EXPECT_TRUE(sizes.Learn("GPU-a", 518 * kMib));
  EXPECT_TRUE(sizes.Learn("GPU-b", 300 * kMib));
  EXPECT_EQ(ContextSizes(File(), "580.1").SizeOf("GPU-a"), 518 * kMib);
  EXPECT_EQ(ContextSizes(File(), "580.1").SizeOf("GPU-b"), 300 * kMib);
  EXPECT_EQ(ContextSizes(File(), "590.1").SizeOf("GPU-a"), 0U) << "another driver, another figure";
}

TEST_F(ContextSizesTest, AProcessThatHoldsMoreThanItSaysRaisesNothing) {
  ContextSizes sizes(File(), "580.1");
  EXPECT_TRUE(sizes.Learn("GPU-a", 3000 * kMib));
  EXPECT_TRUE(sizes.Learn("GPU-a", 518 * kMib)) << "an honest one corrects it";
  EXPECT_FALSE(sizes.Learn("GPU-a", 2000 * kMib));
  EXPECT_FALSE(sizes.Learn("GPU-a", 100'000 * kMib)) << "no context is so large";
  EXPECT_EQ(sizes.SizeOf("GPU-a"), 518 * kMib);
}

}  // namespace
}  // namespace yard::slice

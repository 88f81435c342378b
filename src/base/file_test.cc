#include "base/file.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace yard {
namespace {

class FileTest : public ::testing::Test {
 protected:
  FileTest() { mkdtemp(folder_.data()); }
  ~FileTest() override { std::filesystem::remove_all(folder_); }
  std::string folder_ = "/tmp/gpuyard-file.XXXXXX";
};

TEST_F(FileTest, IsReadWholeWhateverItsSize) {
  for (std::size_t size : {0U, 1U, 4095U, 4096U, 4097U, 100'000U}) {
    std::string path = folder_ + "/text";
    std::ofstream(path) << std::string(size, 'x');
    Result<std::string> text = ReadFile(path);
    ASSERT_TRUE(text.has_value());
    EXPECT_EQ(*text, std::string(size, 'x'));
  }
}

TEST_F(FileTest, IsReadWholeAlsoIfItDoesNotKnowItsSize) {
  Result<std::string> text = ReadFile("/proc/self/maps");
  ASSERT_TRUE(text.has_value());
  EXPECT_GT(text->size(), 4096U);
  EXPECT_EQ(text->back(), '\n');
}

TEST_F(FileTest, ThatIsNotThereIsToldFromOneThatCannotBeRead) {
  EXPECT_EQ(ReadFile(folder_ + "/none").error().code, Code::kNotFound);
  EXPECT_EQ(ReadFile(folder_).error().code, Code::kUnavailable);
  EXPECT_EQ(ReadFileOrEmpty(folder_ + "/none"), "");
}

}  // namespace
}  // namespace yard

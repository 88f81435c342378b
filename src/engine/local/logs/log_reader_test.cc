#include "engine/local/logs/log_reader.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "shim/log_format.h"

namespace yard::engine {
namespace {

class LogReaderTest : public ::testing::Test {
 protected:
  LogReaderTest() {
    char path[] = "/tmp/gpuyard-log-XXXXXX";
    folder_ = ::mkdtemp(path);
    spec_.variables = {{.name = "TOKEN", .value = "open-sesame", .secret = true}};
    piece_ = shim::LogPiece(spec_.limits.log.value << 20);
  }
  ~LogReaderTest() override { std::filesystem::remove_all(folder_); }

  void WritePiece(int index, const std::string& bytes) {
    std::ofstream(folder_ + "/" + shim::kLogPrefix + std::to_string(index)) << bytes;
  }
  std::string Read(std::int64_t offset, std::size_t limit) {
    return LogReader(folder_, spec_).Read(offset, limit)->bytes;
  }

  std::string folder_;
  TaskSpec spec_;
  std::int64_t piece_ = 0;
};

TEST_F(LogReaderTest, ASecretAcrossTwoPiecesIsHiddenFromEitherSide) {
  WritePiece(0, std::string(static_cast<std::size_t>(piece_) - 4, '.') + "open");
  WritePiece(1, "-sesame.");
  EXPECT_EQ(Read(piece_ - 5, 5), ".****");
  EXPECT_EQ(Read(piece_, 8), "*******.");
  EXPECT_EQ(Read(piece_ + 2, 6), "*****.");
  EXPECT_EQ(Read(piece_ - 5, 13), ".***********.");
}

TEST_F(LogReaderTest, ASecretBehindADroppedPieceIsHidden) {
  WritePiece(2, "open-sesame.");
  EXPECT_EQ(Read(2 * piece_ + 4, 8), "*******.");
}

}  // namespace
}  // namespace yard::engine

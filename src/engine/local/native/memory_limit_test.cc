#include "engine/local/native/memory_limit.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"

namespace yard::engine {
namespace {

namespace fs = std::filesystem;

// A machine of plain files.
class Machine {
 public:
  Machine() : root_(fs::path(::testing::TempDir()) / "memory_limit_test") { fs::remove_all(root_); }
  ~Machine() { fs::remove_all(root_); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void Write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::string Read(const std::string& path) const { return ReadFileOrEmpty(root_ / path); }
  std::string root() const { return root_; }

 private:
  fs::path root_;
};

constexpr const char* kV2 = "30 1 0:26 / /cg rw - cgroup2 cgroup2 rw\n";
constexpr const char* kV1 = "31 1 0:27 / /v1/memory rw - cgroup cgroup rw,memory\n";

TEST(MemoryLimit, IsThatOfTheInnermostGroupThatHasOne) {
  Machine machine;
  machine.Write("proc/self/mountinfo", kV2);
  machine.Write("proc/7/cgroup", "0::/yard/task/own\n");
  machine.Write("cg/yard/memory.max", "99999744000\n");
  machine.Write("cg/yard/task/memory.max", "1073741824\n");
  machine.Write("cg/yard/task/own/memory.max", "max\n");
  std::optional<MemoryLimit> limit = MemoryLimit::Of(7, machine.root());
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->size(), Mebibytes(1024));
  ASSERT_TRUE(limit->Set(Mebibytes(3000)));
  EXPECT_EQ(machine.Read("cg/yard/task/memory.max"), "3145728000");
  EXPECT_EQ(MemoryLimit::Of(7, machine.root())->size(), Mebibytes(3000)) << "found again";
}

TEST(MemoryLimit, IsSetTogetherWithTheOneForSwapWhereThereIsSuch) {
  Machine machine;
  machine.Write("proc/self/mountinfo", std::string(kV2) + kV1);
  machine.Write("proc/7/cgroup", "3:memory:/yard/task\n0::/yard/task\n");
  machine.Write("v1/memory/yard/task/memory.limit_in_bytes", "1048576\n");
  machine.Write("v1/memory/yard/task/memory.memsw.limit_in_bytes", "1048576\n");
  std::optional<MemoryLimit> limit = MemoryLimit::Of(7, machine.root());
  ASSERT_TRUE(limit);
  ASSERT_TRUE(limit->Set(Mebibytes(5)));
  EXPECT_EQ(machine.Read("v1/memory/yard/task/memory.limit_in_bytes"), "5242880");
  EXPECT_EQ(machine.Read("v1/memory/yard/task/memory.memsw.limit_in_bytes"), "5242880");
}

TEST(MemoryLimit, IsNoneWhereNothingLimits) {
  Machine machine;
  EXPECT_FALSE(MemoryLimit::Of(7, machine.root())) << "no groups at all";
  machine.Write("proc/self/mountinfo", kV1);
  machine.Write("proc/7/cgroup", "3:memory:/task\n");
  machine.Write("v1/memory/task/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_FALSE(MemoryLimit::Of(7, machine.root())) << "v1's word for none";
}

TEST(MemoryLimit, ThatCannotBeWrittenIsNotRaised) {
  Machine machine;
  machine.Write("proc/self/mountinfo", kV2);
  machine.Write("proc/7/cgroup", "0::/task\n");
  machine.Write("cg/task/memory.max", "1048576\n");
  std::optional<MemoryLimit> limit = MemoryLimit::Of(7, machine.root());
  ASSERT_TRUE(limit);
  fs::remove_all(machine.root() + "/cg/task");
  EXPECT_FALSE(limit->Set(Mebibytes(5)));
  EXPECT_EQ(limit->size(), Mebibytes(1));
}

}  // namespace
}  // namespace yard::engine

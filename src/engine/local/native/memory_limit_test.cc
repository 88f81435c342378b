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
  MemoryLimits limits() const { return MemoryLimits::Of(7, "task", root_); }

 private:
  fs::path root_;
};

constexpr const char* kV2 = "30 1 0:26 / /cg rw - cgroup2 cgroup2 rw\n";
constexpr const char* kV1 = "31 1 0:27 / /v1/memory rw - cgroup cgroup rw,memory\n";

TEST(MemoryLimits, AreRaisedInEveryGroupOfTheTaskAndInNoOther) {
  Machine machine;
  machine.Write("proc/self/mountinfo", kV2);
  machine.Write("proc/7/cgroup", "0::/yard/task/box/own\n");
  machine.Write("cg/yard/memory.max", "8589934592\n");
  machine.Write("cg/yard/memory.current", "7516192768\n");
  machine.Write("cg/yard/task/memory.max", "1073741824\n");
  machine.Write("cg/yard/task/box/memory.max", "1074790400\n");
  machine.Write("cg/yard/task/box/own/memory.max", "1048576\n");
  MemoryLimits limits = machine.limits();
  EXPECT_EQ(limits.Own(), Mebibytes(1)) << "the innermost";
  EXPECT_EQ(limits.RoomOutside(), Mebibytes(1024)) << "what the group around all tasks has left";
  ASSERT_TRUE(limits.Raise(Mebibytes(1024), Mebibytes(2000)));
  EXPECT_EQ(machine.Read("cg/yard/task/memory.max"), "3170893824");
  EXPECT_EQ(machine.Read("cg/yard/task/box/memory.max"), "3171942400") << "a little more inside";
  EXPECT_EQ(machine.Read("cg/yard/memory.max"), "8589934592\n") << "not the task's";
  EXPECT_EQ(machine.Read("cg/yard/task/box/own/memory.max"), "1048576\n") << "its own wish";
  ASSERT_TRUE(machine.limits().Raise(Mebibytes(1024), Mebibytes(0))) << "by another life";
  EXPECT_EQ(machine.Read("cg/yard/task/memory.max"), "1073741824");
  EXPECT_EQ(machine.Read("cg/yard/task/box/memory.max"), "1074790400");
}

TEST(MemoryLimits, AreSetTogetherWithThoseForSwapWhereThereAreSuch) {
  Machine machine;
  machine.Write("proc/self/mountinfo", std::string(kV2) + kV1);
  machine.Write("proc/7/cgroup", "3:memory:/yard/task\n0::/yard/task\n");
  machine.Write("v1/memory/yard/task/memory.limit_in_bytes", "1048576\n");
  machine.Write("v1/memory/yard/task/memory.memsw.limit_in_bytes", "1048576\n");
  ASSERT_TRUE(machine.limits().Raise(Mebibytes(1), Mebibytes(4)));
  EXPECT_EQ(machine.Read("v1/memory/yard/task/memory.limit_in_bytes"), "5242880");
  EXPECT_EQ(machine.Read("v1/memory/yard/task/memory.memsw.limit_in_bytes"), "5242880");
}

TEST(MemoryLimits, AreNoneWhereNothingLimits) {
  Machine machine;
  EXPECT_EQ(machine.limits().Own(), std::nullopt) << "no groups at all";
  EXPECT_EQ(machine.limits().RoomOutside(), std::nullopt);
  machine.Write("proc/self/mountinfo", kV1);
  machine.Write("proc/7/cgroup", "3:memory:/task\n");
  machine.Write("v1/memory/task/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine.limits().Own(), std::nullopt) << "v1's word for none";
}

// As in a container, where the root of the tree is somebody's group.
TEST(MemoryLimits, OfTheRootCountToo) {
  Machine machine;
  machine.Write("proc/self/mountinfo", kV2);
  machine.Write("proc/7/cgroup", "0::/yard/task\n");
  machine.Write("cg/memory.max", "3145728\n");
  machine.Write("cg/memory.current", "1048576\n");
  EXPECT_EQ(machine.limits().Own(), std::nullopt);
  EXPECT_EQ(machine.limits().RoomOutside(), Mebibytes(2));
}

TEST(MemoryLimits, ThatCannotBeWrittenAreNotRaised) {
  Machine machine;
  machine.Write("proc/self/mountinfo", kV2);
  machine.Write("proc/7/cgroup", "0::/task\n");
  machine.Write("cg/task/memory.max", "1048576\n");
  MemoryLimits limits = machine.limits();
  fs::remove_all(machine.root() + "/cg/task");
  EXPECT_FALSE(limits.Raise(Mebibytes(1), Mebibytes(5)));
}

}  // namespace
}  // namespace yard::engine

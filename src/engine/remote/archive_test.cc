#include "engine/remote/archive.h"

#include <gmock/gmock.h>

#include "engine/remote/fields.h"

namespace yard::engine::remote {
namespace {

template <class T>
std::string Bytes(const T& value) {
  ValueWriter out;
  out(value);
  return out.Take();
}

template <class T>
std::optional<T> Read(std::string_view bytes) {
  ValueReader in(bytes);
  T value{};
  in(value);
  return in.whole() ? std::optional(std::move(value)) : std::nullopt;
}

TaskSpec FullSpec() {
  TaskSpec spec;
  spec.key = {AttemptId(Uuid{{1, 2, 3}}), 7};
  spec.node = "node";
  spec.title = "project/work";
  spec.container = Container{.image = "image",
                             .pull = PullPolicy::kAlways,
                             .registry_user = "user",
                             .registry_password = "password",
                             .shm = Mebibytes(128),
                             .add_capabilities = {"SYS_PTRACE"},
                             .read_only_root = true,
                             .host_network = true,
                             .host_ipc = true};
  spec.command = {"sh", "-c"};
  spec.args = {std::string("a\0b", 3)};
  spec.working_dir = "/work";
  spec.variables = {{"NAME", "value", true}};
  spec.mounts = {{MountKind::kScratch, "source", "/target", true}};
  spec.account = Account{1000, 1001, {1002, 1003}};
  spec.gpus = {{"GPU-1", MilliGpu(500), Mebibytes(1024), 50, Mebibytes(2048), GpuTime::kStrict}};
  spec.limits = {MilliCpu(1500), Mebibytes(512), 100, Mebibytes(16)};
  spec.ports = {8888, 65535};
  spec.tty = true;
  return spec;
}

// Both ways the same bytes, so no field that is written is lost in reading.
TEST(Archive, ATaskComesOverWhole) {
  const std::string bytes = Bytes(FullSpec());
  const std::optional<TaskSpec> read = Read<TaskSpec>(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(Bytes(*read), bytes);
  EXPECT_EQ(read->args, FullSpec().args);
  EXPECT_EQ(read->container->registry_password, "password");
  EXPECT_EQ(read->account->groups, FullSpec().account->groups);
  EXPECT_EQ(read->gpus.front().time, GpuTime::kStrict);
}

TEST(Archive, APartOfAMessageIsNoMessage) {
  const std::string bytes = Bytes(FullSpec());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(Read<TaskSpec>(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(Read<TaskSpec>(bytes + "x"));
}

TEST(Archive, NumbersThatDoNotFitAreRefused) {
  EXPECT_FALSE(Read<std::uint16_t>(Bytes(std::int64_t{65'536})));
  EXPECT_FALSE(Read<std::uint32_t>(Bytes(std::int64_t{-1})));
  EXPECT_FALSE(Read<bool>(Bytes(std::int64_t{2})));
  EXPECT_FALSE(Read<MountKind>(Bytes(std::int64_t{7})));
  EXPECT_FALSE(Read<MountKind>(Bytes(std::int64_t{-1})));
}

TEST(Archive, AGreatCountAloneCostsNothing) {
  std::string bytes;
  AppendVarint(bytes, std::uint64_t{1} << 60);
  EXPECT_FALSE(Read<std::vector<std::string>>(bytes));
}

}  // namespace
}  // namespace yard::engine::remote

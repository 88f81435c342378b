// Ended tasks that left little are put away, and nobody sees a difference.
#include "engine/local/tasks/task_packer.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "base/file.h"
#include "base/random.h"
#include "base/uuid.h"
#include "engine/local/local_host.h"
#include "shim/format.h"

extern const char kCrashChild[];  // see yard_paths

namespace yard::engine::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::unique_ptr<Host> PackingHost() {
  auto host = std::make_unique<LocalHost>();
  host->options().pack_after = Micros(1);
  return host;
}

class Packing : public Conformance {
 protected:
  LocalHost& local() { return dynamic_cast<LocalHost&>(const_cast<Host&>(host())); }
  std::string FolderOf(const TaskKey& key) {
    return TaskFolder(local().options().root, key).path();
  }
  TaskKey Ended(const TaskSpec& spec) {
    const TaskKey key = Launch(spec);
    (void)WaitEnd(key);
    return key;
  }
  TaskKey Packed(const TaskSpec& spec) {
    const TaskKey key = Ended(spec);
    while (fs::exists(FolderOf(key))) std::this_thread::yield();
    return key;
  }
  // What it writes, or what it says of a refusal.
  std::string ReadKept(const TaskKey& key, const std::string& path, int code) {
    Result<std::unique_ptr<Session>> session = engine().files()->ReadFiles(key, path);
    EXPECT_TRUE(session) << session.error().message;
    std::string error;
    std::string bytes = ReadAll(**session, &error);
    EXPECT_EQ(*(*session)->Wait(), code);
    return bytes + error;
  }
};

INSTANTIATE_TEST_SUITE_P(Native, Packing, ::testing::Values(Subject{"native", PackingHost}));

TEST_P(Packing, LeavesNoFileBehindAndLosesNothing) {
  TaskSpec spec = host().Shell("echo the password is $PASSWORD; exit 3");
  spec.variables = {{.name = "PASSWORD", .value = "hunter-two", .secret = true}};
  const TaskKey key = Packed(spec);
  for (int life = 0; life < 2; ++life) {
    EXPECT_EQ(WholeLog(key), "the password is **********\n");
    const TaskStatus status = engine().StatusOf({&key, 1}).front();
    ASSERT_EQ(status.state, TaskState::kEnded);
    EXPECT_EQ(status.end->exit_code, 3);
    EXPECT_TRUE(status.started_at);
    EXPECT_EQ(*engine().logs()->LogOffsetAt(key, Time{0}), 0);
    EXPECT_TRUE(engine().logs()->WatchLog(key, [] {}));
    EXPECT_TRUE(engine().Stop(key, {}));
    EXPECT_EQ(ReadKept(key, "", 0).size(), 3U * 512) << "an empty folder, and the archive's end";
    EXPECT_THAT(ReadKept(key, "no/such", 1), HasSubstr("no/such"));
    Close();
    const std::vector<TaskStatus> adopted = Open();
    ASSERT_EQ(adopted.size(), 1U);
    EXPECT_EQ(adopted[0].end->exit_code, 3);
  }
  engine().Forget(key);
  EXPECT_EQ(engine().logs()->ReadLog(key, 0, 100).error().code, Code::kNotFound);
}

TEST_P(Packing, ATaskThatWasPackedIsNotStartedAgain) {
  TaskSpec spec = host().Shell("echo ran");
  spec.key = Packed(spec);
  EXPECT_TRUE(engine().Launch(spec));
  EXPECT_FALSE(fs::exists(FolderOf(spec.key)));
  EXPECT_EQ(WholeLog(spec.key), "ran\n");
}

TEST_P(Packing, OutputsAndLongLogsKeepTheirFolders) {
  const TaskKey output = Ended(host().Shell("echo kept > $GPUYARD_OUTPUT/f"));
  const TaskKey log = Ended(host().Shell("seq 10000"));
  (void)Packed(host().Shell("true"));  // those before it have been looked at
  EXPECT_TRUE(fs::exists(FolderOf(output)));
  EXPECT_TRUE(fs::exists(FolderOf(log)));
  EXPECT_THAT(ReadKept(output, "f", 0), HasSubstr("kept\n"));
  EXPECT_THAT(WholeLog(log), HasSubstr("\n10000\n"));
  Close();
  Open();
  EXPECT_THAT(ReadKept(output, "f", 0), HasSubstr("kept\n"));
}

TEST_P(Packing, LogsCanBeReadAtEachMoment) {
  for (int i = 0; i < 20; ++i) {
    const TaskKey key = Ended(host().Shell("echo here"));
    while (fs::exists(FolderOf(key))) {
      Result<LogChunk> chunk = engine().logs()->ReadLog(key, 0, 100);
      ASSERT_TRUE(chunk) << chunk.error().message;
      ASSERT_EQ(chunk->bytes, "here\n");
      ASSERT_TRUE(chunk->at_end);
    }
  }
}

TEST_P(Packing, TheRowsAreSmall) {
  for (int i = 0; i < 100; ++i) (void)Packed(host().Shell("true"));
  Close();  // what was written ahead goes into the file
  EXPECT_LT(fs::file_size(local().options().root + "/ended.db"), 100U * 2048);
  Open();
}

// A folder whose removal was not finished, and one that a backup has brought back.
TEST_P(Packing, AFolderBesideItsRecordGoes) {
  const TaskKey key = Packed(host().Shell("echo here"));
  Close();
  fs::create_directories(FolderOf(key) + "/work");
  ASSERT_TRUE(TaskFolder(local().options().root, key).WriteEnd({}));
  const std::vector<TaskStatus> adopted = Open();
  EXPECT_EQ(adopted.size(), 1U);
  EXPECT_FALSE(fs::exists(FolderOf(key)));
  EXPECT_EQ(WholeLog(key), "here\n");
}

class PackCrash : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Steps, PackCrash,
                         ::testing::Values("pack-folders", "pack-row", "pack-spec"));

TEST_P(PackCrash, NothingIsLostWhereverTheServerWasKilled) {
  LocalHost machine;
  machine.options().pack_after = Micros(1);
  const LocalOptions& options = machine.options();
  const Uuid uuid = MakeUuid(SystemClock().Now(), SystemRandom());
  const std::string script = "echo ran >> " + options.root + "/ran; echo here; exit 3";
  std::vector<std::string> words = {kCrashChild, options.root,     options.shim, options.cgroup,
                                    GetParam(),  FormatUuid(uuid), script};
  std::vector<char*> argv(words.size() + 1);
  std::ranges::transform(words, argv.begin(), [](std::string& word) { return word.data(); });
  pid_t pid = 0;
  ASSERT_EQ(::posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ), 0);
  int status = 0;
  ::waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  const TaskKey key{AttemptId(uuid), 0};
  std::unique_ptr<Engine> engine = machine.Open();
  Result<std::vector<TaskStatus>> adopted = engine->Adopt({});
  ASSERT_TRUE(adopted);
  ASSERT_EQ(adopted->size(), 1U);
  EXPECT_EQ(adopted->front().end->exit_code, 3);
  EXPECT_EQ(engine->logs()->ReadLog(key, 0, 100)->bytes, "here\n");
  while (fs::exists(TaskFolder(options.root, key).path())) std::this_thread::yield();
  EXPECT_EQ(engine->logs()->ReadLog(key, 0, 100)->bytes, "here\n");
  EXPECT_EQ(ReadFileOrEmpty(options.root + "/ran"), "ran\n");
  engine->Forget(key);
  engine.reset();
  EXPECT_THAT(machine.Leftovers(), IsEmpty());
}

}  // namespace
}  // namespace yard::engine::testing

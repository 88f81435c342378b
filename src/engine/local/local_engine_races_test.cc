// Two things that happen at the same time: here in the order that is hard to get right.
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include <gmock/gmock.h>

#include "base/file.h"
#include "base/strings.h"
#include "engine/local/local_host.h"
#include "engine/local/native/usage.h"
#include "engine/local/tasks/task_folder.h"
#include "shim/format.h"

namespace yard::engine::testing {
namespace {

class EngineRaces : public Conformance {
 protected:
  LocalHost& local() { return dynamic_cast<LocalHost&>(const_cast<Host&>(host())); }
  TaskFolder FolderOf(const TaskKey& key) { return TaskFolder(local().options().root, key); }
  // The first bytes of what the session writes.
  static std::string ReadFirst(const Session& session, std::size_t size) {
    std::string bytes(size, '\0');
    std::size_t have = 0;
    for (ssize_t got = 1; have < size && got > 0;) {
      pollfd ready{session.output(), POLLIN, 0};
      EXPECT_EQ(::poll(&ready, 1, -1), 1);
      got = ::read(session.output(), bytes.data() + have, size - have);
      if (got > 0) have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
  }
};

INSTANTIATE_TEST_SUITE_P(Native, EngineRaces,
                         ::testing::Values(Subject{"native",
                                                   [] { return std::make_unique<LocalHost>(); }}));

TEST_P(EngineRaces, ATaskThatStartsWhileItIsAdoptedIsSeenToRun) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  Close();
  const std::string state = FolderOf(key).File(shim::kStateName);
  const std::string whole = ReadFileOrEmpty(state);
  const std::size_t started = whole.find("started=");
  ASSERT_NE(started, std::string::npos) << whole;
  std::ofstream(state) << whole.substr(0, started);
  // Its record is read, then it starts, then the engine knows it.
  local().options().at_step = [&](std::string_view step) {
    if (step == "record") std::ofstream(state) << whole;
  };
  const std::vector<TaskStatus> adopted = Open();
  ASSERT_EQ(adopted.size(), 1U);
  EXPECT_EQ(adopted[0].state, TaskState::kRunning);
}

TEST_P(EngineRaces, ASessionIsGoneWhenTheEndOfItsTaskIsKnown) {
  Close();
  local().options().cgroup.clear();
  Open();
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  // Much memory takes the kernel a while to give back.
  const std::string script =
      "import os, time; held = bytearray(256 << 20); print(os.getpid(), flush=True); "
      "time.sleep(1000)";
  Result<std::unique_ptr<Session>> beside =
      engine().exec()->Exec(key, {.command = {"python3", "-c", script}});
  ASSERT_TRUE(beside) << beside.error().message;
  const std::optional<std::int64_t> pid = ParseInt(Trim(ReadUntil(**beside, "\n")));
  ASSERT_TRUE(pid);
  ASSERT_TRUE(engine().Stop(key, {SIGKILL, Micros(0)}));
  WaitEnd(key);
  const std::string stat = ReadFileOrEmpty("/proc/" + std::to_string(*pid) + "/stat");
  EXPECT_TRUE(stat.empty() || stat.contains(") Z ")) << stat;
}

TEST_P(EngineRaces, AFolderWhoseFilesChangeWhileTheyAreReadComesWhole) {
  TaskSpec spec = host().Shell(
      "for i in 1 2 3 4; do head -c 300000 /dev/zero > $i; done; pwd; "
      "echo ready; sleep 1000");
  const TaskKey key = Launch(spec);
  const std::string log = WaitLog(key, "ready");
  WaitRunning(key);
  const std::filesystem::path folder = log.substr(0, log.find('\n'));
  Result<std::unique_ptr<Session>> out = engine().files()->ReadFiles(key, ".");
  ASSERT_TRUE(out) << out.error().message;
  // It waits in its first file now: the pipe holds less. That one grows, the others go.
  std::string tar = ReadFirst(**out, 2 * 512);
  ASSERT_EQ(tar.size(), 1024U);
  const std::string name = tar.substr(512, 100);
  const std::string first = name.substr(name.rfind('/') + 1, 1);
  std::ofstream(folder / first, std::ios::app) << "more";
  for (const char* other : {"1", "2", "3", "4"})
    if (other != first) std::filesystem::remove(folder / other);
  std::string complaint;
  tar += ReadAll(**out, &complaint);
  EXPECT_EQ((*out)->Wait(), 0) << complaint;
  EXPECT_EQ(tar.size(), 512U + 512U + 300'032U + 1024U);
}

TEST_P(EngineRaces, AStopBetweenTheEndOnRecordAndItsWordSucceeds) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(engine().Stop(key, {SIGKILL, Micros(0)}));
  WaitEnd(key);
  EXPECT_TRUE(engine().Stop(key, {SIGKILL, Micros(0)}));
}

TEST_P(EngineRaces, AProcessWithTheNumberOfAnotherIsNotTakenForIt) {
  TaskRecord record;
  record.pid = ::getpid();
  record.born = BirthOf(record.pid);
  EXPECT_TRUE(IsItself(record));
  record.born.back() = record.born.back() == '0' ? '1' : '0';
  EXPECT_FALSE(IsItself(record));
}

}  // namespace
}  // namespace yard::engine::testing

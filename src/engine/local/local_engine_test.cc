// What only the engine of this machine promises.
#include "engine/local/local_engine.h"

#include <grp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>

#include "base/file.h"
#include "base/random.h"
#include "base/uuid.h"
#include "engine/local/local_host.h"
#include "engine/local/native/spawn.h"
#include "engine/local/tasks/task_folder.h"
#include "shim/format.h"

extern const char kCrashChild[];  // see yard_paths

namespace yard::engine::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// As a program is given them.
std::vector<char*> Arguments(std::vector<std::string>& words) {
  std::vector<char*> argv(words.size() + 1);
  std::ranges::transform(words, argv.begin(), [](std::string& word) { return word.data(); });
  return argv;
}

class LocalEngineTest : public Conformance {
 protected:
  LocalHost& local() { return dynamic_cast<LocalHost&>(const_cast<Host&>(host())); }
  std::string RunShell(const std::string& script) { return Run(host().Shell(script)); }
  std::string Run(const TaskSpec& spec) {
    const TaskKey key = Launch(spec);
    const TaskEnd end = WaitEnd(key);
    EXPECT_EQ(end.cause, EndCause::kCompleted) << end.message;
    return WholeLog(key);
  }
};

INSTANTIATE_TEST_SUITE_P(Native, LocalEngineTest,
                         ::testing::Values(Subject{"native",
                                                   [] { return std::make_unique<LocalHost>(); }}));

TEST_P(LocalEngineTest, AKilledShimIsNoticedAndItsTaskIsKilledToo) {
  const TaskKey key = LaunchShell("echo here; setsid sleep 1000 & sleep 1000");
  WaitLog(key, "here");
  const TaskFolder folder(local().options().root, key);
  ASSERT_EQ(::kill(folder.ReadRecord().shim, SIGKILL), 0);
  const TaskEnd end = WaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kNodeLost);
  EXPECT_THAT(end.message, HasSubstr("gpuyard-shim"));
  EXPECT_EQ(WholeLog(key), "here\n");
}

TEST_P(LocalEngineTest, AShimKilledWhileNobodyListenedIsNoticedAtTheRestart) {
  const TaskKey key = LaunchShell("echo here; sleep 1000");
  WaitLog(key, "here");
  Close();
  const TaskFolder folder(local().options().root, key);
  ASSERT_EQ(::kill(folder.ReadRecord().shim, SIGKILL), 0);
  // Ours to reap: in this test the dead server and the living one are one process.
  ::waitpid(folder.ReadRecord().shim, nullptr, 0);
  const std::vector<TaskStatus> adopted = Open();
  ASSERT_EQ(adopted.size(), 1U);
  EXPECT_EQ(adopted[0].state, TaskState::kEnded);
  EXPECT_EQ(adopted[0].end->cause, EndCause::kNodeLost);
}

TEST_P(LocalEngineTest, AStrangerWithTheNumberOfALostTaskIsLeftAlone) {
  Close();
  local().options().cgroup.clear();
  Open();
  const std::string answer = local().options().root + "/answer";
  const TaskKey key = LaunchShell("trap 'echo alive > " + answer +
                                  "; exit' USR1; echo here; while :; do sleep 0.01; done");
  WaitLog(key, "here");
  WaitRunning(key);
  Close();
  const TaskFolder folder(local().options().root, key);
  const TaskRecord record = folder.ReadRecord();
  ASSERT_EQ(::kill(record.shim, SIGKILL), 0);
  ::waitpid(record.shim, nullptr, 0);
  // As if its number had been given to somebody else since.
  const std::string state = folder.File(shim::kStateName);
  std::string text = ReadFileOrEmpty(state);
  const std::size_t born = text.find("born=");
  ASSERT_NE(born, std::string::npos) << text;
  std::ofstream(state) << text.replace(born, 6, "born=x");
  EXPECT_EQ(Open().front().end->cause, EndCause::kNodeLost);
  // Who is killed cannot answer any more.
  const UniqueFd pidfd = OpenPidfd(record.pid);
  ASSERT_EQ(::kill(record.pid, SIGUSR1), 0);
  while (!HasEnded(pidfd.get())) std::this_thread::yield();
  EXPECT_EQ(ReadFileOrEmpty(answer), "alive\n");
}

TEST_P(LocalEngineTest, TwoServersCannotShareARoot) {
  Result<std::unique_ptr<Engine>> second = OpenLocalEngine(local().options(), {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict);
}

TEST_P(LocalEngineTest, ATaskWhoseFolderIsGoneIsLostAndNotStartedAgain) {
  const TaskKey key = LaunchShell("echo here; sleep 1000");
  WaitLog(key, "here");
  WaitRunning(key);
  const TaskFolder folder(local().options().root, key);
  const std::int32_t shim = folder.ReadRecord().shim;
  // The shim may write a file between the last one that is removed and the folder itself.
  for (std::error_code busy; std::filesystem::exists(folder.path());)
    std::filesystem::remove_all(folder.path(), busy);
  ASSERT_EQ(::kill(shim, SIGKILL), 0);
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kNodeLost);
}

TEST_P(LocalEngineTest, TheEnvironmentIsTheTasksAlone) {
  const std::string text = RunShell("env; pwd");
  EXPECT_THAT(text, HasSubstr("PATH=/usr/local/sbin"));
  EXPECT_THAT(text, HasSubstr("CUDA_VISIBLE_DEVICES=\n"));
  EXPECT_THAT(text, HasSubstr("/work\n"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("GTEST")));
}

TEST_P(LocalEngineTest, AMissingFolderIsAFailedLaunchThatNamesIt) {
  TaskSpec spec = host().Shell("true");
  spec.working_dir = "/no/such/folder";
  const TaskEnd end = WaitEnd(Launch(spec));
  EXPECT_EQ(end.cause, EndCause::kLaunchFailed);
  EXPECT_THAT(end.message, HasSubstr("/no/such/folder"));
}

TEST_P(LocalEngineTest, AFailureOfManyWordsIsCutAndKeepsItsCause) {
  TaskSpec spec = host().Shell("");
  spec.command = {std::string(5000, 'x')};
  spec.args = {};
  const TaskEnd end = WaitEnd(Launch(spec));
  EXPECT_EQ(end.cause, EndCause::kLaunchFailed);
  EXPECT_THAT(end.message, HasSubstr("xxxx"));
}

TEST_P(LocalEngineTest, AScriptWithoutItsInterpreterSaysSo) {
  const std::string path = local().options().root + "/script";
  std::ofstream(path) << "#!/no/such/interpreter\n";
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  TaskSpec spec = host().Shell("");
  spec.command = {path};
  spec.args = {};
  EXPECT_THAT(WaitEnd(Launch(spec)).message, HasSubstr("/no/such/interpreter"));
}

TEST_P(LocalEngineTest, DeclaredGpusAreShownAsDeclaredAndGivenByNumber) {
  Close();
  local().options().declared = {8, "A100", Mebibytes(40'960)};
  local().options().host = "box";
  Open();
  const NodeState node = engine().Nodes()->front();
  ASSERT_GE(node.gpus.size(), 8U);
  const GpuState& gpu = node.gpus.back();
  EXPECT_EQ(gpu.uuid, "GPU-declared-box-7");
  EXPECT_TRUE(gpu.declared);
  EXPECT_FALSE(gpu.busy_percent);
  EXPECT_FALSE(gpu.used);
  EXPECT_FALSE(gpu.health);
  TaskSpec spec = host().Shell("echo $CUDA_VISIBLE_DEVICES/$GPUYARD_DECLARED_GPUS");
  spec.gpus = {{"GPU-declared-box-2", MilliGpu(1000), {}, 0},
               {"GPU-declared-box-5", MilliGpu(1000), {}, 0}};
  EXPECT_EQ(Run(spec), "2,5/2,5\n");
}

// Stands in for the shim of a container: holds its lock and obeys a stop order.
constexpr const char* kStandIn =
    "cd $0; exec 9<spec; flock 9; "
    "trap 'printf \"cause=Signal\\nsignal=15\\nat=9\\nmessage=stopped\\n\" >>state; exit' $1; "
    "printf \"shim=$$\\nstarted=5\\n\" >state; while :; do sleep 0.05; done";

TEST_P(LocalEngineTest, AContainerIsFollowedAndStoppedWhileItsDaemonIsAway) {
  Close();
  TaskSpec spec = host().Shell("");
  spec.key = NewKey();
  spec.container.emplace().image = "any";
  const TaskFolder folder(local().options().root, spec.key);
  ASSERT_TRUE(folder.Make() && folder.WriteSpec(spec, ""));
  std::vector<std::string> words = {"sh", "-c", kStandIn, folder.path(),
                                    std::to_string(SIGRTMIN + shim::kStopOffset)};
  const std::vector<char*> argv = Arguments(words);
  pid_t pid = 0;
  ASSERT_EQ(::posix_spawnp(&pid, "sh", nullptr, nullptr, argv.data(), environ), 0);
  while (!folder.ReadRecord().started_at) std::this_thread::yield();
  const std::vector<TaskStatus> adopted = Open();
  ASSERT_EQ(adopted.size(), 1U);
  EXPECT_EQ(adopted[0].state, TaskState::kRunning);
  ASSERT_TRUE(engine().Stop(spec.key, {}));
  EXPECT_EQ(WaitEnd(spec.key).signal, SIGTERM);
  engine().Forget(spec.key);
}

class RootTest : public LocalEngineTest {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    LocalEngineTest::SetUp();
  }
  void TearDown() override {
    if (::geteuid() == 0) LocalEngineTest::TearDown();
  }
};

INSTANTIATE_TEST_SUITE_P(Native, RootTest,
                         ::testing::Values(Subject{"native",
                                                   [] { return std::make_unique<LocalHost>(); }}));

TEST_P(RootTest, TheTaskRunsAsItsAccountWithoutNewPrivileges) {
  TaskSpec spec = host().Shell(
      "id -u; id -g; id -G; grep NoNewPrivs /proc/self/status; touch $TMPDIR/x here && ls -n here");
  spec.account = Account{65'534, 65'534, {5, 7}};
  const std::string text = Run(spec);
  EXPECT_THAT(text, StartsWith("65534\n65534\n65534 5 7\nNoNewPrivs:\t1\n"));
  EXPECT_THAT(text, HasSubstr(" 65534 65534 "));
}

TEST_P(RootTest, ACommandBesideTheTaskHasItsAccountAndMounts) {
  TaskSpec spec = host().Shell("echo ready; sleep 1000");
  spec.account = Account{65'534, 65'534, {}};
  spec.mounts = {{MountKind::kFile, "content", "/gyt-point", false}};
  const TaskKey key = Launch(spec);
  WaitLog(key, "ready");
  WaitRunning(key);
  ExecSpec exec;
  exec.command = {"sh", "-c", "id -u; cat /gyt-point"};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, exec);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_EQ(ReadAll(**session), "65534\ncontent");
  EXPECT_EQ((*session)->Wait(), 0);
}

TEST_P(RootTest, MountsAreTheTasksAloneAndReadOnlyIsKept) {
  const std::string root = local().options().root;
  std::filesystem::create_directory(root + "/source");
  std::ofstream(root + "/source/file") << "inside";
  TaskSpec spec = host().Shell(
      "cd " + root + "/target; cat ro/file rw/file secret; touch rw/new; " +
      "touch ro/new 2>&1 | grep -o Read-only; stat -c %a secret; " + "touch scratch/x volume/y");
  const std::string target = root + "/target/";
  spec.mounts = {{MountKind::kHostPath, root + "/source", target + "ro", true},
                 {MountKind::kHostPath, root + "/source", target + "rw", false},
                 {MountKind::kFile, "hush", target + "secret", false},
                 {MountKind::kScratch, "", target + "scratch", false},
                 {MountKind::kVolume, "data", target + "volume", false}};
  EXPECT_EQ(Run(spec), "insideinsidehushRead-only\n400\n");
  EXPECT_TRUE(std::filesystem::exists(root + "/source/new"));
  EXPECT_TRUE(std::filesystem::exists(root + "/volumes/data/y"));
  for (const char* point : {"ro", "rw", "secret", "scratch", "volume"})
    EXPECT_FALSE(std::filesystem::exists(target + point)) << point;
}

TEST_P(RootTest, AMountStaysUntilItsLastTaskHasEnded) {
  const std::string root = local().options().root;
  const std::string target = root + "/made/for/folder";
  std::filesystem::create_directory(root + "/source");
  std::ofstream(root + "/source/file") << "inside";
  TaskSpec spec = host().Shell("echo ready; sleep 1000");
  spec.mounts = {{MountKind::kHostPath, root + "/source", target, false},
                 {MountKind::kFile, "content", root + "/made/for/file", false}};
  const TaskKey maker = Launch(spec);
  WaitLog(maker, "ready");
  const TaskKey other = Launch(spec);
  WaitLog(other, "ready");
  WaitRunning(other);
  ASSERT_TRUE(engine().Stop(maker, {}));
  WaitEnd(maker);
  ExecSpec exec;
  exec.command = {"cat", target + "/file", root + "/made/for/file"};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(other, exec);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_EQ(ReadAll(**session), "insidecontent");
  ASSERT_TRUE(engine().Stop(other, {}));
  WaitEnd(other);
  EXPECT_FALSE(std::filesystem::exists(root + "/made"));
}

TEST_P(RootTest, AMountPointOfTheMachineIsNeverRemoved) {
  const std::string point = local().options().root + "/point";
  std::filesystem::create_directory(point);
  TaskSpec spec = host().Shell("true");
  spec.mounts = {{MountKind::kScratch, "", point, false}};
  Run(spec);
  EXPECT_TRUE(std::filesystem::exists(point));
}

TEST_P(RootTest, ABadMountIsAFailedLaunchThatNamesIt) {
  TaskSpec spec = host().Shell("true");
  spec.mounts = {{MountKind::kHostPath, "/no/such/source", "/mnt/x", false}};
  TaskEnd end = WaitEnd(Launch(spec));
  EXPECT_EQ(end.cause, EndCause::kLaunchFailed);
  EXPECT_THAT(end.message, HasSubstr("/no/such/source"));
  spec.mounts = {{MountKind::kNfs, "127.0.0.1:/none", local().options().root + "/nfs", false}};
  end = WaitEnd(Launch(spec));
  EXPECT_EQ(end.cause, EndCause::kLaunchFailed);
  // mount(8) writes its name first and the reason after it.
  EXPECT_THAT(end.message, AnyOf(HasSubstr("unknown filesystem"), HasSubstr("mount.nfs"),
                                 HasSubstr("helper program")));
}

TEST_P(RootTest, AnNfsServerIsNeverTakenForAnOption) {
  TaskSpec spec = host().Shell("true");
  spec.mounts = {{MountKind::kNfs, "--version", local().options().root + "/nfs", false}};
  EXPECT_EQ(WaitEnd(Launch(spec)).cause, EndCause::kLaunchFailed);
}

TEST_P(RootTest, TheCpuLimitIsSet) {
  TaskSpec spec = host().Shell("cat /proc/self/cgroup");
  spec.limits.cpu = MilliCpu(500);
  EXPECT_THAT(Run(spec), HasSubstr(local().options().cgroup));
}

// Shell that moves a process into a group below the task's own.
constexpr const char* kNestGroup =
    "g=$(grep -m1 cgroup2 /proc/mounts | cut -d' ' -f2)$(grep ^0:: /proc/self/cgroup | cut -c4-); "
    "mkdir -p $g/inner/most; sleep 1000 & echo $! > $g/inner/most/cgroup.procs; echo nested; ";

TEST_P(RootTest, GroupsThatATaskHasMadeGoWithIt) {
  EXPECT_EQ(RunShell(kNestGroup), "nested\n");
}

TEST_P(RootTest, GroupsThatATaskHasMadeGoWithItsKilledShim) {
  const TaskKey key = LaunchShell(std::string(kNestGroup) + "sleep 1000");
  WaitLog(key, "nested");
  ASSERT_EQ(::kill(TaskFolder(local().options().root, key).ReadRecord().shim, SIGKILL), 0);
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kNodeLost);
}

// One run for each step at which the server may die.
class LaunchCrash : public ::testing::TestWithParam<std::string> {
 protected:
  static int RunChild(std::vector<std::string> words) {
    const std::vector<char*> argv = Arguments(words);
    pid_t pid = 0;
    EXPECT_EQ(::posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ), 0);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return status;
  }
};

INSTANTIATE_TEST_SUITE_P(Steps, LaunchCrash,
                         ::testing::Values("folder", "plan", "spec", "launch", "after"),
                         [](const auto& step) { return step.param; });

TEST_P(LaunchCrash, ATaskRunsOnceWhereverTheServerWasKilled) {
  LocalHost machine;
  const LocalOptions& options = machine.options();
  const Uuid uuid = MakeUuid(SystemClock().Now(), SystemRandom());
  const std::string script = "echo ran >> " + options.root + "/ran; exit 3";
  const int status = RunChild({kCrashChild, options.root, options.shim, options.cgroup, GetParam(),
                               FormatUuid(uuid), script});
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  Recorder recorder;
  std::unique_ptr<Engine> engine = machine.Open();
  Result<std::vector<TaskStatus>> adopted = engine->Adopt(recorder.listener());
  ASSERT_TRUE(adopted);
  recorder.Note(*adopted);
  // Whoever is not told that it was taken asks again.
  TaskSpec spec = machine.Shell(script);
  spec.key.attempt = AttemptId(uuid);
  ASSERT_TRUE(engine->Launch(spec));
  const TaskStatus ended = recorder.WaitFor(spec.key, TaskState::kEnded);
  EXPECT_EQ(ended.end->exit_code, 3) << ended.end->message;
  EXPECT_EQ(ReadFileOrEmpty(options.root + "/ran"), "ran\n");
  engine->Forget(spec.key);
  engine.reset();
  EXPECT_EQ(machine.Leftovers(), std::vector<std::string>());
}

}  // namespace
}  // namespace yard::engine::testing

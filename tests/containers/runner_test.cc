// Tasks in containers of a real daemon, through the local engine.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/local/containers/create.h"
#include "engine/local/containers/daemon.h"
#include "engine/local/tasks/task_folder.h"
#include "tests/containers/lab.h"
#include "tests/containers/workbench.h"

namespace yard::engine::containers {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class ContainerTask : public ::testing::Test {
 protected:
  lab::Workbench bench_;
  Daemon daemon_{lab::Socket()};

  TaskRecord RecordOf(const TaskKey& key) {
    return TaskFolder(bench_.options().root, key).ReadRecord();
  }
};

TEST_F(ContainerTask, EndsWithItsExitCodeAndBothStreamsInTheLog) {
  TaskSpec spec = bench_.Shell("echo to-output; echo to-error >&2; exit 3");
  TaskKey key = bench_.Launch(spec);
  TaskEnd end = bench_.AwaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kExit);
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_THAT(bench_.LogOf(key), AllOf(HasSubstr("to-output\n"), HasSubstr("to-error\n")));
  EXPECT_THAT(bench_.Leftovers(), ::testing::IsEmpty());
}

TEST_F(ContainerTask, SplitsEntryPointAndArgumentsAsTheImageDoes) {
  auto said = [&](std::vector<std::string> command, std::vector<std::string> args) {
    TaskSpec spec = bench_.Shell("");
    spec.container->image = lab::EntryImage();
    spec.command = std::move(command);
    spec.args = std::move(args);
    TaskKey key = bench_.Launch(spec);
    EXPECT_EQ(bench_.AwaitEnd(key).cause, EndCause::kCompleted);
    return bench_.LogOf(key);
  };
  EXPECT_EQ(said({}, {}), "entry image-command\n");
  EXPECT_EQ(said({}, {"a", "b c"}), "entry a b c\n");
  EXPECT_EQ(said({"echo", "mine"}, {}), "mine\n") << "the image's command must not be appended";
  EXPECT_EQ(said({"echo", "mine"}, {"too"}), "mine too\n");
}

TEST_F(ContainerTask, RunsAsItsAccountWithItsGroupsInItsFolder) {
  TaskSpec spec = bench_.Shell("id -u; id -g; id -G; pwd; echo $NAME");
  spec.account = Account{.uid = 1000, .gid = 1000, .groups = {2000}};
  spec.working_dir = "/home/user";
  spec.variables = {{"NAME", "a value"}};
  TaskKey key = bench_.Launch(spec);
  EXPECT_EQ(bench_.AwaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_EQ(bench_.LogOf(key), "1000\n1000\n1000 2000\n/home/user\na value\n");
}

TEST_F(ContainerTask, SeesItsMounts) {
  const fs::path host = fs::path(bench_.options().root) / "host";
  fs::create_directories(host);
  std::ofstream(host / "file") << "from the host\n";
  TaskSpec spec = bench_.Shell(
      "cat /in/file /etc/secret; touch /in/x 2>/dev/null || echo read-only;"
      "echo kept > /volume/file; touch /scratch/y && echo scratch; df -k /dev/shm | tail -1 |"
      "awk '{print $2}'; echo out > $GPUYARD_OUTPUT/result");
  spec.account = Account{.uid = 1000, .gid = 1000};
  spec.mounts = {{MountKind::kHostPath, host, "/in", true},
                 {MountKind::kFile, "the secret\n", "/etc/secret"},
                 {MountKind::kVolume, "data", "/volume"},
                 {MountKind::kScratch, "", "/scratch"}};
  spec.container->shm = Mebibytes(128);
  TaskKey key = bench_.Launch(spec);
  EXPECT_EQ(bench_.AwaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_EQ(bench_.LogOf(key), "from the host\nthe secret\nread-only\nscratch\n131072\n");
  TaskSpec again = bench_.Shell("cat /volume/file");
  again.mounts = {{MountKind::kVolume, "data", "/volume"}};
  TaskKey second = bench_.Launch(again);
  bench_.AwaitEnd(second);
  EXPECT_EQ(bench_.LogOf(second), "kept\n");
  const TaskFolder folder(bench_.options().root, key);
  EXPECT_TRUE(fs::exists(folder.File("work") + "/result")) << "the output folder stays";
  EXPECT_FALSE(fs::exists(folder.File("files"))) << "secrets go with the task";
}

TEST_F(ContainerTask, SeesAReadOnlyRootWhenAsked) {
  TaskSpec spec = bench_.Shell("touch /x 2>/dev/null || echo closed; touch /tmp/x && echo open");
  spec.container->read_only_root = true;
  TaskKey key = bench_.Launch(spec);
  bench_.AwaitEnd(key);
  EXPECT_EQ(bench_.LogOf(key), "closed\nopen\n");
}

TEST_F(ContainerTask, GetsDeclaredGpusAsVariables) {
  TaskSpec spec = bench_.Shell("echo $CUDA_VISIBLE_DEVICES $NVIDIA_VISIBLE_DEVICES");
  spec.gpus = {{.uuid = "GPU-declared-x-1", .part = MilliGpu(1000)}};
  TaskKey key = bench_.Launch(spec);
  bench_.AwaitEnd(key);
  EXPECT_EQ(bench_.LogOf(key), "1 1\n");
}

TEST_F(ContainerTask, ThatTakesTooMuchMemoryIsToldApart) {
  TaskSpec spec = bench_.Shell("x=$(head -c 90000000 /dev/zero | tr '\\0' x); echo survived");
  spec.limits.memory = Mebibytes(48);
  TaskEnd end = bench_.Run(spec);
  EXPECT_EQ(end.cause, EndCause::kOutOfMemory) << end.message;
  EXPECT_THAT(end.message, HasSubstr("memory"));
}

TEST_F(ContainerTask, ThatIsKilledFromOutsideIsNoOutOfMemory) {
  TaskSpec spec = bench_.Shell("kill -9 $$; sleep 1; exit 137");
  spec.limits.memory = Mebibytes(48);
  TaskEnd end = bench_.Run(spec);
  EXPECT_EQ(end.cause, EndCause::kSignal) << end.message;
  EXPECT_EQ(end.signal, 9);
}

TEST_F(ContainerTask, KeepsItsLimitOfProcesses) {
  TaskSpec spec = bench_.Shell(
      "i=0; while [ $i -lt 60 ]; do sleep 30 & i=$((i+1)); done 2>/dev/null; echo unreached");
  spec.limits.pids = 20;
  TaskKey key = bench_.Launch(spec);
  bench_.AwaitEnd(key);
  EXPECT_THAT(bench_.LogOf(key), ::testing::Not(HasSubstr("unreached")));
}

TEST_F(ContainerTask, EndsAtOnceByASignalItDoesNotHandle) {
  TaskKey key = bench_.Launch(bench_.Shell("echo ready; sleep 600; sleep 600"));
  bench_.AwaitLog(key, "ready");
  ASSERT_TRUE(bench_.engine().Stop(key, {.signal = SIGTERM, .grace = Seconds(600)}));
  TaskEnd end = bench_.AwaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kSignal) << end.message;
  EXPECT_EQ(end.signal, SIGTERM);
}

TEST_F(ContainerTask, MayHandleItsSignal) {
  TaskKey key = bench_.Launch(
      bench_.Shell("trap 'echo saved; exit 0' TERM; echo ready; while true; do sleep 0.1; done"));
  bench_.AwaitLog(key, "ready");
  ASSERT_TRUE(bench_.engine().Stop(key, {.signal = SIGTERM, .grace = Seconds(600)}));
  EXPECT_EQ(bench_.AwaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_THAT(bench_.LogOf(key), HasSubstr("saved"));
}

TEST_F(ContainerTask, ThatIgnoresItsSignalIsKilledAfterTheGrace) {
  TaskKey key =
      bench_.Launch(bench_.Shell("trap '' TERM; echo ready; while true; do sleep 0.1; done"));
  bench_.AwaitLog(key, "ready");
  ASSERT_TRUE(bench_.engine().Stop(key, {.signal = SIGTERM, .grace = Seconds(1)}));
  TaskEnd end = bench_.AwaitEnd(key);
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_THAT(end.message, HasSubstr("had not ended within 1 s"));
}

TEST_F(ContainerTask, LeavesNoChildThatTurnedAway) {
  TaskKey key = bench_.Launch(
      bench_.Shell("(setsid sh -c 'trap \"\" HUP TERM; sleep 600' &) ; echo left; exit 0"));
  EXPECT_EQ(bench_.AwaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_THAT(bench_.Leftovers(), ::testing::IsEmpty());
}

TEST_F(ContainerTask, CannotFloodTheDisk) {
  TaskSpec spec = bench_.Shell(
      "echo first; yes 0123456789012345678901234567890 | head -c 40000000;"
      "echo last");
  spec.limits.log = Mebibytes(4);
  TaskKey key = bench_.Launch(spec);
  EXPECT_EQ(bench_.AwaitEnd(key).cause, EndCause::kCompleted);
  std::string log = bench_.LogOf(key);
  EXPECT_THAT(log, StartsWith("first\n"));
  EXPECT_TRUE(log.ends_with("last\n"));
  EXPECT_LT(log.size(), 5U << 20);
  auto end = bench_.engine().logs()->ReadLog(key, 1LL << 40, 1);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->next, 6 + 40000000 + 5) << "not a byte of the output got lost on the way";
}

TEST_F(ContainerTask, LaunchedTwiceRunsOnce) {
  TaskSpec spec = bench_.Shell("echo once >> $GPUYARD_OUTPUT/runs; sleep 600");
  TaskKey key = bench_.Launch(spec);
  bench_.AwaitRunning(key);
  EXPECT_TRUE(bench_.engine().Launch(spec));
  EXPECT_EQ(daemon_.List(kAttemptLabel, FormatUuid(key.attempt.value))->size(), 1U);
}

TEST_F(ContainerTask, OutlivesTheServer) {
  TaskKey key = bench_.Launch(
      bench_.Shell("echo ready; until [ -e /gpuyard/output/go ]; do sleep 0.1; done; exit 5"));
  bench_.AwaitLog(key, "ready");
  bench_.AwaitRunning(key);  // its words may be there before the engine knows
  bench_.Restart();
  EXPECT_EQ(bench_.engine().StatusOf({{key}}).front().state, TaskState::kRunning);
  std::ofstream(TaskFolder(bench_.options().root, key).File("work") + "/go") << "now";
  EXPECT_EQ(bench_.AwaitEnd(key).exit_code, 5);
}

TEST_F(ContainerTask, OutlivesItsShim) {
  TaskKey key = bench_.Launch(bench_.Shell("echo one; sleep 3; echo two; exit 4"));
  bench_.AwaitLog(key, "one");
  ASSERT_EQ(::kill(RecordOf(key).shim, SIGKILL), 0);
  TaskEnd end = bench_.AwaitEnd(key);
  EXPECT_EQ(end.exit_code, 4) << end.message;
  EXPECT_THAT(bench_.LogOf(key), StartsWith("one\n"));
}

TEST_F(ContainerTask, ThatSomebodyRemovesIsLost) {
  TaskKey key = bench_.Launch(bench_.Shell("sleep 600"));
  bench_.AwaitRunning(key);
  ASSERT_TRUE(daemon_.Remove(ContainerName(key)));
  TaskEnd end = bench_.AwaitEnd(key);
  EXPECT_THAT(end.cause, ::testing::AnyOf(EndCause::kNodeLost, EndCause::kSignal)) << end.message;
}

TEST_F(ContainerTask, StoppedBeforeItsImageIsThereNeverRuns) {
  TaskSpec spec = bench_.Shell("true");
  spec.container->image = lab::OpenRegistry() + "/moved:1";
  spec.container->pull = PullPolicy::kAlways;
  TaskKey key = bench_.Launch(spec);
  ASSERT_TRUE(bench_.engine().Stop(key, {}));
  EXPECT_THAT(bench_.AwaitEnd(key).message, HasSubstr("stopped before it ran"));
}

TEST_F(ContainerTask, PullsItsImageAndTellsHowFarItIs) {
  TaskSpec spec = bench_.Shell("echo pulled");
  spec.container->image = lab::OpenRegistry() + "/big:1";
  spec.container->pull = PullPolicy::kAlways;
  (void)daemon_.RemoveImage(spec.container->image);
  TaskKey key = bench_.Launch(spec);
  TaskEnd end = bench_.AwaitEnd(key);
  EXPECT_EQ(end.cause, EndCause::kCompleted) << end.message;
  EXPECT_THAT(bench_.DetailsOf(key), Contains(HasSubstr("pulling image 127.0.0.1:15000/big:1")));
}

TEST_F(ContainerTask, PullsBehindAPassword) {
  TaskSpec spec = bench_.Shell("echo inside");
  spec.container->image = lab::LockedRegistry() + "/locked:1";
  (void)daemon_.RemoveImage(spec.container->image);
  TaskEnd refused = bench_.Run(spec);
  EXPECT_EQ(refused.cause, EndCause::kLaunchFailed);
  EXPECT_THAT(refused.message, AllOf(HasSubstr("127.0.0.1:15001"), HasSubstr("credentials")));
  spec.key = bench_.NewKey();
  spec.container->registry_user = "tester";
  spec.container->registry_password = "secret";
  EXPECT_EQ(bench_.Run(spec).cause, EndCause::kCompleted);
}

// Each of these is an end with the true cause and names the thing that is wrong.
TEST_F(ContainerTask, ThatCannotRunSaysWhy) {
  auto failure = [&](const std::function<void(TaskSpec&)>& spoil) {
    TaskSpec spec = bench_.Shell("true");
    spoil(spec);
    TaskEnd end = bench_.Run(spec);
    EXPECT_EQ(end.cause, EndCause::kLaunchFailed) << end.message;
    return end.message;
  };
  EXPECT_THAT(failure([](TaskSpec& s) { s.container->image = lab::OpenRegistry() + "/none:1"; }),
              HasSubstr("there is no image 127.0.0.1:15000/none:1"));
  EXPECT_THAT(failure([](TaskSpec& s) { s.container->image = "127.0.0.1:1/none:1"; }),
              HasSubstr("the registry 127.0.0.1:1 of image 127.0.0.1:1/none:1 cannot be reached"));
  EXPECT_THAT(failure([](TaskSpec& s) { s.container->image = "localhost/none:1"; }),
              HasSubstr("localhost/none:1 is not on this node"));
  EXPECT_THAT(failure([](TaskSpec& s) { s.container->image = "No Image"; }),
              HasSubstr("is not the name of an image"));
  EXPECT_THAT(failure([](TaskSpec& s) { s.command = {"no-such-program"}; }),
              HasSubstr("cannot run 'no-such-program'"));
  EXPECT_THAT(failure([](TaskSpec& s) { s.command = {"/etc/passwd"}; }),
              HasSubstr("is not executable"));
  EXPECT_THAT(
      failure([](TaskSpec& s) { s.mounts = {{MountKind::kHostPath, "/no/such/path", "/in"}}; }),
      AllOf(HasSubstr("/no/such/path"), HasSubstr("/in")));
  // mount(8) writes its name first and the reason after it; the daemon has no part in it.
  EXPECT_THAT(
      failure([](TaskSpec& s) { s.mounts = {{MountKind::kNfs, "127.0.0.1:/none", "/in"}}; }),
      AllOf(HasSubstr("cannot mount '127.0.0.1:/none' on '/in'"), Not(HasSubstr("daemon")),
            AnyOf(HasSubstr("unknown filesystem"), HasSubstr("mount.nfs"),
                  HasSubstr("helper program"))));
  EXPECT_THAT(bench_.Leftovers(), ::testing::IsEmpty());
}

TEST_F(ContainerTask, TakesCommandsWithInputOutputAndError) {
  TaskKey key = bench_.Launch(bench_.Shell("sleep 600"));
  bench_.AwaitRunning(key);
  auto session = bench_.engine().exec()->Exec(
      key, {.command = {"sh", "-c", "cat; echo $A >&2; exit 7"}, .variables = {{"A", "oh"}}});
  ASSERT_TRUE(session) << session.error().message;
  lab::Said said = lab::Listen(**session, "typed");
  EXPECT_EQ(said.output, "typed");
  EXPECT_EQ(said.error, "oh\n");
  EXPECT_EQ(said.code, 7);
}

TEST_F(ContainerTask, TakesCommandsOnATerminal) {
  TaskKey key = bench_.Launch(bench_.Shell("sleep 600"));
  bench_.AwaitRunning(key);
  ExecSpec exec{.command = {"sh", "-c",
                            "read x; until [ \"$(stty size)\" = '33 99' ]; do sleep 0.02; done; "
                            "stty size; exit 3"}};
  exec.tty = true;
  auto session = bench_.engine().exec()->Exec(key, exec);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_TRUE((*session)->Resize(33, 99));
  lab::Said said = lab::Listen(**session, "go\n");
  EXPECT_THAT(said.output, HasSubstr("33 99"));
  EXPECT_EQ(said.code, 3);
}

TEST_F(ContainerTask, HangsUpOnACommandWhoseSessionGoes) {
  TaskKey key = bench_.Launch(bench_.Shell("sleep 600"));
  bench_.AwaitRunning(key);
  {
    auto session =
        bench_.engine().exec()->Exec(key, {.command = {"sh", "-c", "echo in; sleep 555"}});
    ASSERT_TRUE(session) << session.error().message;
    pollfd said{(*session)->output(), POLLIN, 0};
    ASSERT_EQ(::poll(&said, 1, 60'000), 1);
  }
  std::string seen = "555";
  for (int i = 0; i < 100 && seen.contains("555"); ++i) {
    auto session = bench_.engine().exec()->Exec(key, {.command = {"ps", "-o", "args"}});
    ASSERT_TRUE(session);
    seen = lab::Listen(**session).output;
  }
  EXPECT_THAT(seen, ::testing::Not(HasSubstr("555")));
}

TEST_F(ContainerTask, LetsPeopleAttachToItsTerminal) {
  TaskSpec spec = bench_.Shell("echo ready; read line; echo got $line; exit 6");
  spec.tty = true;
  TaskKey key = bench_.Launch(spec);
  bench_.AwaitLog(key, "ready");
  bench_.AwaitRunning(key);  // its words may be there before the engine knows
  auto session = bench_.engine().exec()->Attach(key);
  ASSERT_TRUE(session) << session.error().message;
  ASSERT_EQ(::write((*session)->input(), "hello\n", 6), 6);
  EXPECT_THAT(lab::ReadUntilEnd((*session)->output()), HasSubstr("got hello"));
  EXPECT_EQ((*session)->Wait().value_or(-1), 6);
  EXPECT_THAT(bench_.LogOf(key), HasSubstr("got hello"));
}

TEST_F(ContainerTask, IsReachedByItsPorts) {
  TaskSpec spec =
      bench_.Shell("echo served > /tmp/page; echo ready; exec httpd -f -p 127.0.0.1:8080 -h /tmp");
  spec.ports = {8080, 8081};
  TaskKey key = bench_.Launch(spec);
  bench_.AwaitLog(key, "ready");
  bench_.AwaitRunning(key);
  auto nobody = bench_.engine().ports()->ConnectPort(key, 8081);
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().code, Code::kUnavailable);
  EXPECT_EQ(bench_.engine().ports()->ConnectPort(key, 8082).error().code, Code::kPrecondition);
  Result<UniqueFd> port = bench_.engine().ports()->ConnectPort(key, 8080);
  for (int i = 0; i < 10'000 && !port; ++i) port = bench_.engine().ports()->ConnectPort(key, 8080);
  ASSERT_TRUE(port) << port.error().message << bench_.LogOf(key);
  ASSERT_EQ(::write(port->get(), "GET /page HTTP/1.0\r\n\r\n", 22), 22);
  EXPECT_THAT(lab::ReadUntilEnd(port->get()), HasSubstr("served"));
}

TEST_F(ContainerTask, GivesAndTakesFiles) {
  TaskSpec spec = bench_.Shell("echo content > /home/user/file; echo ready; sleep 600");
  TaskKey key = bench_.Launch(spec);
  bench_.AwaitLog(key, "ready");
  bench_.AwaitRunning(key);  // its words may be there before the engine knows
  auto out = bench_.engine().files()->ReadFiles(key, "/home/user/file");
  ASSERT_TRUE(out) << out.error().message;
  lab::Said tar = lab::Listen(**out);
  EXPECT_EQ(tar.code, 0) << tar.error;
  EXPECT_THAT(tar.output, AllOf(HasSubstr("file"), HasSubstr("content\n")));
  auto in = bench_.engine().files()->WriteFiles(key, "/tmp");
  ASSERT_TRUE(in) << in.error().message;
  EXPECT_EQ(lab::Listen(**in, tar.output).code, 0);
  auto cat = bench_.engine().exec()->Exec(key, {.command = {"cat", "/tmp/file"}});
  ASSERT_TRUE(cat);
  EXPECT_EQ(lab::Listen(**cat).output, "content\n");
  auto none = bench_.engine().files()->ReadFiles(key, "/no/such");
  ASSERT_TRUE(none);
  lab::Said missing = lab::Listen(**none);
  EXPECT_EQ(missing.code, 1);
  EXPECT_FALSE(missing.error.empty());
}

TEST_F(ContainerTask, IsMeasured) {
  TaskSpec spec = bench_.Shell(
      "echo ready; x=$(head -c 9000000 /dev/zero | tr '\\0' x);"
      "echo full; sleep 600");
  spec.limits.memory = Mebibytes(200);
  TaskKey key = bench_.Launch(spec);
  bench_.AwaitLog(key, "full");
  bench_.AwaitRunning(key);  // its words may be there before the engine knows
  TaskUsage usage = bench_.engine().UsageOf({{key}}).front();
  EXPECT_GE(usage.processes, 1);
  EXPECT_LE(usage.processes, 3);
  EXPECT_GE(usage.memory_peak.value, 9);
  EXPECT_GT(usage.cpu.value, 0);
}

}  // namespace
}  // namespace yard::engine::containers

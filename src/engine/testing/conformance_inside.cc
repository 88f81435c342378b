// Clauses about processes, limits, sessions, ports and files.
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/testing/conformance.h"

namespace yard::engine::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A port of this machine that nobody else is given while it is held. Nobody listens on it, and a
// task that reuses addresses may.
class HeldPort {
 public:
  HeldPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t size = sizeof(address);
    const int on = 1;
    EXPECT_EQ(::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)), 0);
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    number_ = ntohs(address.sin_port);
  }
  std::uint16_t number() const { return number_; }

 private:
  UniqueFd socket_;
  std::uint16_t number_ = 0;
};

TEST_P(ProcessConformance, ADoubleForkingDaemonLeavesNothing) {
  // Leftovers() in TearDown looks for the processes.
  const TaskKey key =
      LaunchShell("(setsid sleep 1000 & setsid sh -c 'sleep 1000 & sleep 1000' &); echo gone");
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_EQ(WholeLog(key), "gone\n");
}

TEST_P(ProcessConformance, StandardErrorGoesToTheLogToo) {
  const TaskKey key = LaunchShell("echo out; echo err >&2");
  WaitEnd(key);
  EXPECT_EQ(WholeLog(key), "out\nerr\n");
}

TEST_P(ProcessConformance, VariablesAndArgumentsArriveAsTheyWere) {
  TaskSpec spec = host().Shell("printf '%s|' \"$A\" \"$B\" \"$1\" \"$2\"");
  spec.args.push_back("zero");
  spec.args.push_back("one 'two'");
  spec.args.push_back("line\nend \"q\" $HOME");
  spec.variables = {{"A", "x y=z\n"}, {"B", ""}};
  const TaskKey key = Launch(spec);
  WaitEnd(key);
  EXPECT_EQ(WholeLog(key), "x y=z\n||one 'two'|line\nend \"q\" $HOME|");
}

TEST_P(ProcessConformance, TheTemporaryFolderIsWritableAndEmptyAtTheEnd) {
  const TaskKey key = LaunchShell("mkdir -p $TMPDIR/a/b && echo x > $TMPDIR/a/b/c && echo $TMPDIR");
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
  const std::string folder = WholeLog(key);
  ASSERT_GT(folder.size(), 2U);
  std::error_code gone;  // which is empty enough
  for (const auto& left : fs::directory_iterator(folder.substr(0, folder.size() - 1), gone))
    ADD_FAILURE() << left.path();
}

TEST_P(LimitConformance, AForkBombIsHeldByItsLimitAndLeavesNothing) {
  // The first shell forks once and never again: a shell that cannot fork gives up.
  TaskSpec spec = host().Shell("bomb() { bomb | bomb & }; (bomb) & exec sleep 1000");
  spec.limits.pids = 40;
  const TaskKey key = Launch(spec);
  WaitLog(key, "fork");
  const std::vector<TaskUsage> usage = engine().UsageOf({&key, 1});
  EXPECT_LE(usage.front().processes, 40);
  ASSERT_TRUE(engine().Stop(key, {9, Micros(0)}));
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kSignal);
}

TEST_P(LimitConformance, TooMuchMemoryIsToldApart) {
  TaskSpec spec = host().Shell("head -c 200000000 /dev/zero | tail -c 190000000 | wc -c; exit 5");
  spec.limits.memory = Mebibytes(32);
  const TaskEnd end = WaitEnd(Launch(spec));
  EXPECT_EQ(end.cause, EndCause::kOutOfMemory) << end.message;
  EXPECT_THAT(end.message, HasSubstr("memory"));
}

TEST_P(LimitConformance, ASignalUnderAMemoryLimitIsNotTakenForTooMuchMemory) {
  TaskSpec spec = host().Shell(host().KillSelf());
  spec.limits.memory = Mebibytes(64);
  EXPECT_EQ(WaitEnd(Launch(spec)).cause, EndCause::kSignal);
}

TEST_P(ProcessConformance, UsageGrowsWithTheWork) {
  const TaskKey key =
      LaunchShell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo worked; sleep 1000");
  WaitLog(key, "worked");
  WaitRunning(key);  // its words may be there before the engine knows
  const TaskUsage usage = engine().UsageOf({&key, 1}).front();
  EXPECT_EQ(usage.key, key);
  EXPECT_GT(usage.cpu.value, 10'000);
  EXPECT_GE(usage.memory.value, 1);
  EXPECT_GE(usage.processes, 1);
  EXPECT_FALSE(usage.gpu_percent);
}

TEST_P(ProcessConformance, ExecRunsBesideTheTaskAndGivesItsExitCode) {
  TaskSpec task = host().Shell("sleep 1000");
  task.variables = {{"COLOUR", "blue"}, {"SHAPE", "round"}};
  const TaskKey key = Launch(task);
  WaitRunning(key);
  ExecSpec spec;
  spec.command = {"sh", "-c", "cat; echo $COLOUR $SHAPE; echo oops >&2; exit 9"};
  spec.variables = {{"SHAPE", "square"}};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, spec);
  ASSERT_TRUE(session) << session.error().message;
  WriteAll(**session, "typed\n");
  (*session)->CloseInput();
  std::string error;
  EXPECT_EQ(ReadAll(**session, &error), "typed\nblue square\n");
  EXPECT_EQ(error, "oops\n");
  EXPECT_EQ((*session)->Wait(), 9);
}

TEST_P(ProcessConformance, WaitingForASessionClosesNoneOfItsDescriptors) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  ExecSpec spec;
  spec.command = {"sh", "-c", "exec >&- 2>&-; exit 4"};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, spec);
  ASSERT_TRUE(session) << session.error().message;
  const std::array before = {(*session)->input(), (*session)->output(), (*session)->error()};
  std::string error;
  ReadAll(**session, &error);
  EXPECT_EQ((*session)->Wait(), 4);
  const std::array after = {(*session)->input(), (*session)->output(), (*session)->error()};
  EXPECT_EQ(before, after);
  for (int fd : after) EXPECT_GE(::fcntl(fd, F_GETFD), 0);
}

TEST_P(ProcessConformance, TheEndOfASilentSessionShowsOnADescriptor) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  ExecSpec spec;
  spec.command = {"sh", "-c", "exec >&- 2>&-; read x; exit 5"};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, spec);
  ASSERT_TRUE(session) << session.error().message;
  pollfd ended{(*session)->ended(), POLLIN, 0};
  ASSERT_EQ(::poll(&ended, 1, 0), 0) << "it waits for a line";
  WriteAll(**session, "x\n");
  ASSERT_EQ(::poll(&ended, 1, 120'000), 1);
  EXPECT_EQ((*session)->Wait(), 5);
}

TEST_P(ProcessConformance, ASilentSessionGoesWithoutWaitingForItsEnd) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  ExecSpec spec;
  spec.command = {"sh", "-c", "trap '' HUP; echo in; exec >&- 2>&-; sleep 1000"};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, spec);
  ASSERT_TRUE(session) << session.error().message;
  ReadUntil(**session, "in\n");
  session->reset();
  EXPECT_EQ(StatusOf(key).state, TaskState::kRunning);
}

TEST_P(ProcessConformance, ExecOfAMissingProgramEndsWith127) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  ExecSpec spec;
  spec.command = {"/no/such/program"};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, spec);
  if (!session) return;  // refused at once: as good
  std::string error;
  ReadAll(**session, &error);
  EXPECT_EQ((*session)->Wait(), 127);
  EXPECT_THAT(error, HasSubstr("/no/such/program"));
}

TEST_P(ProcessConformance, ExecOnATerminalHasOneOfTheRightSize) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  ExecSpec spec;
  // Looks until it is there: a daemon passes a new size on in its own time.
  spec.command = {"sh", "-c",
                  "test -t 0 && test -t 1 && stty size; read x; "
                  "until [ \"$(stty size)\" = '40 120' ]; do sleep 0.02; done; stty size; exit 3"};
  spec.tty = true;
  spec.rows = 33;
  spec.columns = 99;
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, spec);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_EQ((*session)->error(), -1);
  EXPECT_THAT(ReadUntil(**session, "99\r\n"), HasSubstr("33 99"));
  ASSERT_TRUE((*session)->Resize(40, 120));
  WriteAll(**session, "\n");
  EXPECT_THAT(ReadAll(**session), HasSubstr("40 120"));
  EXPECT_EQ((*session)->Wait(), 3);
}

TEST_P(ProcessConformance, ASessionDiesWithItsTask) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  ExecSpec spec;
  spec.command = {"sh", "-c", "echo in; sleep 1000"};
  Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, spec);
  ASSERT_TRUE(session) << session.error().message;
  ReadUntil(**session, "in\n");
  ASSERT_TRUE(engine().Stop(key, {9, Micros(0)}));
  WaitEnd(key);
  ReadAll(**session);
  EXPECT_EQ((*session)->Wait(), 128 + 9);
}

TEST_P(ProcessConformance, ASessionThatGoesHangsUp) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  ExecSpec spec;
  spec.command = {"sh", "-c", "echo in; sleep 1000"};
  {
    Result<std::unique_ptr<Session>> session = engine().exec()->Exec(key, spec);
    ASSERT_TRUE(session) << session.error().message;
    ReadUntil(**session, "in\n");
  }
  EXPECT_EQ(StatusOf(key).state, TaskState::kRunning);
}

TEST_P(ProcessConformance, NothingCanBeEnteredThatDoesNotRun) {
  const TaskKey key = LaunchShell("exit 0");
  WaitEnd(key);
  ExecSpec spec;
  spec.command = {"true"};
  EXPECT_EQ(engine().exec()->Exec(key, spec).error().code, Code::kPrecondition);
  EXPECT_EQ(engine().exec()->Exec(NewKey(), spec).error().code, Code::kNotFound);
}

TEST_P(ProcessConformance, AttachReachesTheTasksOwnTerminal) {
  TaskSpec spec = host().Shell(
      "read x; echo got $x; until [ \"$(stty size)\" = '50 150' ]; do sleep 0.02; done; "
      "stty size; read y; exit 6");
  spec.tty = true;
  const TaskKey key = Launch(spec);
  WaitRunning(key);
  Result<std::unique_ptr<Session>> session = engine().exec()->Attach(key);
  ASSERT_TRUE(session) << session.error().message;
  ASSERT_TRUE((*session)->Resize(50, 150));
  WriteAll(**session, "word\n");
  EXPECT_THAT(ReadUntil(**session, "50 150"), HasSubstr("got word"));
  EXPECT_TRUE(engine().UsageOf({&key, 1}).front().terminal_input_at);
  WriteAll(**session, "\n");
  ReadAll(**session);
  EXPECT_EQ((*session)->Wait(), 6);
  WaitEnd(key);
  EXPECT_THAT(WholeLog(key), HasSubstr("got word"));
}

TEST_P(ProcessConformance, ATaskWithoutATerminalCannotBeAttachedTo) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  EXPECT_EQ(engine().exec()->Attach(key).error().code, Code::kPrecondition);
}

TEST_P(ProcessConformance, APortOfTheTaskIsReached) {
  const HeldPort held;
  const std::uint16_t port = held.number();
  TaskSpec spec = host().Shell(
      fmt::format("exec python3 -uc 'import socket; s=socket.create_server((\"\", {})); "
                  "print(\"ready\"); c,_=s.accept(); c.sendall(c.recv(100).upper()); c.close()'",
                  port));
  spec.ports = {port};
  const TaskKey key = Launch(spec);
  WaitLog(key, "ready");
  WaitRunning(key);  // its words may be there before the engine knows
  Result<UniqueFd> stream = engine().ports()->ConnectPort(key, port);
  ASSERT_TRUE(stream) << stream.error().message;
  ASSERT_EQ(::send(stream->get(), "hello", 5, MSG_NOSIGNAL), 5);
  char answer[6] = {};
  pollfd poll{stream->get(), POLLIN, 0};
  ASSERT_GT(::poll(&poll, 1, 120'000), 0);
  EXPECT_EQ(::recv(stream->get(), answer, 5, 0), 5);
  EXPECT_STREQ(answer, "HELLO");
  WaitEnd(key);
}

TEST_P(ProcessConformance, APortNobodyListensOnIsUnavailable) {
  const HeldPort port;
  TaskSpec spec = host().Shell("sleep 1000");
  spec.ports = {port.number()};
  const TaskKey key = Launch(spec);
  WaitRunning(key);
  EXPECT_EQ(engine().ports()->ConnectPort(key, port.number()).error().code, Code::kUnavailable);
}

TEST_P(ProcessConformance, APortThatIsNotDeclaredIsNotReached) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  EXPECT_EQ(engine().ports()->ConnectPort(key, 1).error().code, Code::kPrecondition);
}

TEST_P(ProcessConformance, FilesGoInAndOut) {
  const TaskKey key = LaunchShell("mkdir box; echo made > box/a; echo ready; sleep 1000");
  WaitLog(key, "ready");
  WaitRunning(key);  // its words may be there before the engine knows
  Result<std::unique_ptr<Session>> out = engine().files()->ReadFiles(key, "box");
  ASSERT_TRUE(out) << out.error().message;
  const std::string tar = ReadAll(**out);
  EXPECT_EQ((*out)->Wait(), 0);
  EXPECT_THAT(tar, HasSubstr("box/a"));
  Result<std::unique_ptr<Session>> in = engine().files()->WriteFiles(key, "box");
  ASSERT_TRUE(in) << in.error().message;
  WriteAll(**in, tar);
  (*in)->CloseInput();
  std::string complaint;
  ReadAll(**in, &complaint);
  EXPECT_EQ((*in)->Wait(), 0) << complaint;
  ExecSpec spec;
  spec.command = {"cat", "box/box/a"};
  Result<std::unique_ptr<Session>> cat = engine().exec()->Exec(key, spec);
  ASSERT_TRUE(cat);
  EXPECT_EQ(ReadAll(**cat), "made\n");
  EXPECT_EQ((*cat)->Wait(), 0);
}

TEST_P(ProcessConformance, AMissingFileIsAnExitCodeAndAWord) {
  const TaskKey key = LaunchShell("sleep 1000");
  WaitRunning(key);
  Result<std::unique_ptr<Session>> out = engine().files()->ReadFiles(key, "no/such");
  if (!out) return;  // refused at once: as good
  std::string error;
  ReadAll(**out, &error);
  EXPECT_NE((*out)->Wait(), 0);
  EXPECT_THAT(error, HasSubstr("no"));
}

}  // namespace
}  // namespace yard::engine::testing

// What a plain task on a machine of root has, and what it has not: account, folders, ports, calls.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>

#include "base/file.h"
#include "engine/local/local_host.h"

namespace yard::engine::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class NativeBoundary : public Conformance {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    Conformance::SetUp();
  }
  void TearDown() override {
    if (::geteuid() == 0) Conformance::TearDown();
  }
  LocalHost& local() { return dynamic_cast<LocalHost&>(const_cast<Host&>(host())); }
  std::string Run(const TaskSpec& spec) {
    const TaskKey key = Launch(spec);
    const TaskEnd end = WaitEnd(key);
    EXPECT_EQ(end.cause, EndCause::kCompleted) << end.message;
    return WholeLog(key);
  }
  std::string RunShell(const std::string& script) { return Run(host().Shell(script)); }
  std::string RefusalOf(TaskSpec spec) {
    const TaskEnd end = WaitEnd(Launch(std::move(spec)));
    EXPECT_EQ(end.cause, EndCause::kLaunchFailed);
    return end.message;
  }
};

INSTANTIATE_TEST_SUITE_P(Native, NativeBoundary,
                         ::testing::Values(Subject{"native",
                                                   [] { return std::make_unique<LocalHost>(); }}));

TEST_P(NativeBoundary, APortOfSomebodyElseIsNotReached) {
  const UniqueFd other(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(other.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(other.get(), 1), 0);
  ASSERT_EQ(::getsockname(other.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  TaskSpec spec = host().Shell("sleep 1000");
  spec.ports = {ntohs(address.sin_port)};
  const TaskKey key = Launch(spec);
  WaitRunning(key);
  Result<UniqueFd> stream = engine().ports()->ConnectPort(key, ntohs(address.sin_port));
  ASSERT_FALSE(stream);
  EXPECT_THAT(stream.error().message, HasSubstr("in use by something else"));
}

TEST_P(NativeBoundary, NoAccountOfTheSystemRunsATask) {
  TaskSpec spec = host().Shell("id");
  for (const Account& account : {Account{0, 0, {}}, Account{33, 33, {}}, Account{61'001, 0, {}}}) {
    spec.account = account;
    EXPECT_THAT(RefusalOf(spec), HasSubstr("do not run as the system's user"));
  }
}

TEST_P(NativeBoundary, RootRunsATaskOnlyWhereThatIsAllowed) {
  Close();
  local().options().root_tasks = RootTasks::kRefused;
  Open();
  EXPECT_THAT(RefusalOf(host().Shell("id")), HasSubstr("do not run as root"));
}

TEST_P(NativeBoundary, FoldersOfATaskAreItsAccountsAlone) {
  TaskSpec spec =
      host().Shell("stat -c '%a %u' . $TMPDIR; echo $HOME; cd ..; ls 2>&1; cat spec 2>&1; true");
  spec.account = Account{61'001, 61'001, {}};
  const std::string text = Run(spec);
  EXPECT_THAT(text, StartsWith("700 61001\n700 61001\n" + local().options().root));
  EXPECT_THAT(text, HasSubstr("ls: cannot open directory"));
  EXPECT_THAT(text, HasSubstr("spec: Permission denied"));
}

TEST_P(NativeBoundary, CallsThatNoTaskNeedsAreRefused) {
  // add_key, bpf and userfaultfd, which ordinary accounts may call otherwise.
  EXPECT_EQ(
      RunShell("python3 -c 'import ctypes, errno\n"
               "c = ctypes.CDLL(None, use_errno=True)\n"
               "for call in (248, 321, 323):\n"
               "  print(c.syscall(call, 0, 0, 0, 0, 0), errno.errorcode[ctypes.get_errno()])'"),
      "-1 EPERM\n-1 EPERM\n-1 EPERM\n");
}

TEST_P(NativeBoundary, NoCommandLineNamesATasksFolder) {
  const TaskKey key = LaunchShell("echo ready; sleep 1000");
  WaitLog(key, "ready");
  WaitRunning(key);
  for (const auto& entry : std::filesystem::directory_iterator("/proc"))
    EXPECT_THAT(ReadFileOrEmpty(entry.path() / "cmdline"), Not(HasSubstr(local().options().root)));
}

}  // namespace
}  // namespace yard::engine::testing

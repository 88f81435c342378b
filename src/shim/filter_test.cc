#include "shim/filter.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include <gtest/gtest.h>

namespace yard::shim {
namespace {

// What a child process, which cannot go back, found out: 0 if all of it holds.
int InAChild(const std::function<int()>& look) {
  const pid_t child = fork();
  if (child == 0) _exit(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? look() : 99);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool IsTakenAway(long call) {
  errno = 0;
  return syscall(call, nullptr, 0, nullptr, 0, 0) == -1 && errno == EPERM;
}

TEST(Filter, TheEngineCannotLoadModulesOrStartAnotherKernel) {
  EXPECT_EQ(InAChild([] {
              if (TakeAdministrationAway().step != nullptr) return 1;
              if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 2) return 2;
              for (long call : {SYS_init_module, SYS_finit_module, SYS_delete_module,
                                SYS_kexec_load, SYS_reboot, SYS_swapoff, SYS_open_by_handle_at})
                if (!IsTakenAway(call)) return 3;
              return 0;
            }),
            0);
}

TEST(Filter, TheEngineKeepsWhatItAndItsTasksNeed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root gets as far as an error of the call itself";
  EXPECT_EQ(InAChild([] {
              if (TakeAdministrationAway().step != nullptr) return 1;
              return IsTakenAway(SYS_ptrace) || IsTakenAway(SYS_keyctl) ? 2 : 0;
            }),
            0);
}

TEST(Filter, HoldsForThreadsThatAreThereAlready) {
  EXPECT_EQ(InAChild([] {
              int found = 1;
              std::thread other([&] {
                while (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0) std::this_thread::yield();
                found = IsTakenAway(SYS_delete_module) ? 0 : 2;
              });
              const bool taken = TakeAdministrationAway().step == nullptr;
              other.join();
              return taken ? found : 3;
            }),
            0);
}

}  // namespace
}  // namespace yard::shim

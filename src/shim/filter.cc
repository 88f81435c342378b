#include "shim/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace yard::shim {
namespace {

// Not in it, because work needs them: ptrace (debuggers; other accounts are closed to it anyway),
// perf_event_open (profilers), namespaces and mounts inside them (Apptainer).
constexpr std::uint32_t kOfTasks[] = {SYS_add_key,
                                      SYS_request_key,
                                      SYS_keyctl,
                                      SYS_bpf,
                                      SYS_userfaultfd,
                                      SYS_kexec_load,
                                      SYS_kexec_file_load,
                                      SYS_init_module,
                                      SYS_finit_module,
                                      SYS_delete_module,
                                      SYS_open_by_handle_at,
                                      SYS_swapon,
                                      SYS_swapoff,
                                      SYS_reboot,
                                      SYS_acct,
                                      SYS_iopl,
                                      SYS_ioperm,
                                      SYS_quotactl,
                                      SYS_settimeofday,
                                      SYS_clock_settime};
// The engine needs bpf (device filters) and leaves keys to programs that mount for it.
constexpr std::uint32_t kOfTheEngine[] = {SYS_userfaultfd,
                                          SYS_kexec_load,
                                          SYS_kexec_file_load,
                                          SYS_init_module,
                                          SYS_finit_module,
                                          SYS_delete_module,
                                          SYS_open_by_handle_at,
                                          SYS_swapon,
                                          SYS_swapoff,
                                          SYS_reboot,
                                          SYS_acct,
                                          SYS_iopl,
                                          SYS_ioperm,
                                          SYS_quotactl,
                                          SYS_settimeofday,
                                          SYS_clock_settime};
constexpr std::uint32_t kOtherTable = 0x4000'0000;  // x32

constexpr sock_filter Step(unsigned code, std::uint32_t value, unsigned yes = 0, unsigned no = 0) {
  return {static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(yes),
          static_cast<std::uint8_t>(no), value};
}

constexpr std::uint32_t Answer(int error) {
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

constexpr std::size_t kAround = 8;  // steps before and after those of the calls

template <std::size_t kCount>
struct Program {
  sock_filter steps[kCount + kAround];
};

template <std::size_t kCount>
constexpr Program<kCount> Write(const std::uint32_t (&calls)[kCount]) {
  constexpr unsigned kLoad = BPF_LD | BPF_W | BPF_ABS;
  constexpr unsigned kIfEqual = BPF_JMP | BPF_JEQ | BPF_K;
  Program<kCount> program{};
  std::size_t at = 0;
  program.steps[at++] = Step(kLoad, offsetof(seccomp_data, arch));
  program.steps[at++] = Step(kIfEqual, AUDIT_ARCH_X86_64, 1, 0);
  program.steps[at++] = Step(BPF_RET | BPF_K, Answer(ENOSYS));
  program.steps[at++] = Step(kLoad, offsetof(seccomp_data, nr));
  // To the last step.
  program.steps[at++] = Step(BPF_JMP | BPF_JGE | BPF_K, kOtherTable, kCount + 2, 0);
  for (std::size_t i = 0; i < kCount; ++i)
    program.steps[at++] = Step(kIfEqual, calls[i], static_cast<unsigned>(kCount - i), 0);
  program.steps[at++] = Step(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  program.steps[at++] = Step(BPF_RET | BPF_K, Answer(EPERM));
  program.steps[at++] = Step(BPF_RET | BPF_K, Answer(ENOSYS));
  return program;
}

constexpr auto kForTasks = Write(kOfTasks);
constexpr auto kForTheEngine = Write(kOfTheEngine);

// Of this thread, or of all threads with SECCOMP_FILTER_FLAG_TSYNC.
template <std::size_t kCount>
Failure Install(const Program<kCount>& program, unsigned flags) {
  sock_fprog steps{kCount + kAround, const_cast<sock_filter*>(program.steps)};
  const auto install = [&] {
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &steps) == 0;
  };
  if (install()) return {};
  // Root of a container without CAP_SYS_ADMIN may do it once it can gain no rights any more.
  if (errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && install()) return {};
  if (errno == EINVAL || errno == ENOSYS) return {};  // a kernel without filters
  return {"cannot take system calls away", "", errno};
}

}  // namespace

Failure TakeCallsAway() {
  return Install(kForTasks, 0);
}

Failure TakeAdministrationAway() {
  return Install(kForTheEngine, SECCOMP_FILTER_FLAG_TSYNC);
}

}  // namespace yard::shim

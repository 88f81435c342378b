#include "slice/cuda/process.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "slice/cuda/attach.h"

// The library is linked without start files, so that it has no constructors at all; this is the
// one thing pthread_atfork wants from them.
extern "C" {
// NOLINTNEXTLINE(readability-identifier-naming): the linker's name
[[gnu::visibility("hidden")]] void* __dso_handle = &__dso_handle;
}

namespace yard::slice {
namespace {

std::atomic<Process*> g_process;
constinit Process g_last_resort{};  // if mmap fails: never attached, so nothing is allocated

void WipeInChild() {
  memset(static_cast<void*>(g_process.load()), 0, sizeof(Process));
}

Process* NewProcess() {
  constexpr std::size_t kBytes = (sizeof(Process) + 4095) & ~std::size_t{4095};
  void* const memory =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return &g_last_resort;
  // A forked child must not count in its parent's slot: the kernel wipes the pages, or, where it
  // cannot (before Linux 4.14), a fork handler does.
  if (madvise(memory, kBytes, MADV_WIPEONFORK) != 0) pthread_atfork(nullptr, nullptr, WipeInChild);
  Process* expected = nullptr;
  auto* const fresh = static_cast<Process*>(memory);
  if (g_process.compare_exchange_strong(expected, fresh)) return fresh;
  munmap(memory, kBytes);
  return expected;
}

Process& Get(Role role) {
  Process* process = g_process.load(std::memory_order_acquire);
  if (process == nullptr) process = NewProcess();
  if (process == &g_last_resort) return *process;
  process->attach.Run([process, role] { Attach(process, role); });
  return *process;
}

}  // namespace

Process& Self() {
  return Get(Role::kProcess);
}

Process& Observer() {
  return Get(Role::kObserver);
}

bool HasShare() {
  const Process& process = Self();
  return Attached(process) && process.region->share_mode != ShareMode::kNone;
}

}  // namespace yard::slice

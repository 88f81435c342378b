#include "slice/agent/checkpoint.h"

#include <dlfcn.h>

#include <cstdint>
#include <utility>

namespace yard::slice {
namespace {

// The driver's argument blocks are 64 bytes; only locking says anything in them.
struct LockArguments {
  std::uint32_t timeout_ms = 0;
  std::uint32_t reserved = 0;
  std::uint64_t more[7] = {};
};
struct NoArguments {
  std::uint64_t reserved[8] = {};
};

enum DriverState : int { kRunning = 0, kLocked = 1, kCheckpointed = 2 };

std::unexpected<Error> Failed(const char* what, pid_t pid, int result) {
  return Fail(Code::kUnavailable, std::string("the driver could not ") + what + " process " +
                                      std::to_string(pid) + " (CUDA error " +
                                      std::to_string(result) + ")");
}

}  // namespace

Result<Checkpointer> Checkpointer::Open(const std::string& real_cuda) {
  void* const library = dlopen(real_cuda.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Fail(Code::kUnavailable, dlerror());
  Checkpointer driver;
  const std::pair<const char*, Operation*> names[] = {
      {"cuCheckpointProcessLock", &driver.lock_},
      {"cuCheckpointProcessCheckpoint", &driver.checkpoint_},
      {"cuCheckpointProcessRestore", &driver.restore_},
      {"cuCheckpointProcessUnlock", &driver.unlock_}};
  driver.state_ = reinterpret_cast<Ask>(dlsym(library, "cuCheckpointProcessGetState"));
  bool complete = driver.state_ != nullptr;
  for (const auto& [name, function] : names) {
    *function = reinterpret_cast<Operation>(dlsym(library, name));
    complete = complete && *function != nullptr;
  }
  if (!complete) {
    return Fail(Code::kUnsupported, "this driver knows no checkpoints",
                "suspending a job on its GPU needs driver 570 or newer");
  }
  const auto init = reinterpret_cast<Init>(dlsym(library, "cuInit"));
  if (const int result = init == nullptr ? -1 : init(0); result != 0) {
    return Fail(Code::kUnavailable,
                "the driver does not start (CUDA error " + std::to_string(result) + ")");
  }
  return driver;
}

Status Checkpointer::ParkOne(pid_t pid, Micros lock_timeout) const {
  LockArguments lock{.timeout_ms = static_cast<std::uint32_t>(lock_timeout.value / 1000)};
  if (const int result = lock_(pid, &lock); result != 0) return Failed("stop", pid, result);
  NoArguments none;
  if (const int result = checkpoint_(pid, &none); result != 0) {
    unlock_(pid, &none);
    return Failed("move away the memory of", pid, result);
  }
  return {};
}

// The driver knows how far it is: an earlier keeper may have ended on the way.
Status Checkpointer::UnparkOne(pid_t pid) const {
  NoArguments none;
  int state = kRunning;
  if (const int result = state_(pid, &state); result != 0)
    return Failed("tell the state of", pid, result);
  if (state == kRunning) return {};
  if (state != kLocked) {
    if (const int result = restore_(pid, &none); result != 0)
      return Failed("bring back the memory of", pid, result);
  }
  if (const int result = unlock_(pid, &none); result != 0) return Failed("resume", pid, result);
  return {};
}

Status Checkpointer::Park(std::span<const pid_t> pids, Micros lock_timeout) const {
  for (std::size_t done = 0; done < pids.size(); ++done) {
    const Status parked = ParkOne(pids[done], lock_timeout);
    if (parked) continue;
    for (const pid_t pid : pids.first(done)) YARD_TRY(UnparkOne(pid));
    return parked;
  }
  return {};
}

Status Checkpointer::Unpark(std::span<const pid_t> pids, Micros lock_timeout) const {
  for (std::size_t done = 0; done < pids.size(); ++done) {
    const Status back = UnparkOne(pids[done]);
    if (back) continue;
    for (const pid_t pid : pids.first(done)) YARD_TRY(ParkOne(pid, lock_timeout));
    return back;
  }
  return {};
}

}  // namespace yard::slice

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

constexpr int kNotSupported = 801;

}  // namespace

Status Checkpointer::Find(const std::string& real_cuda) {
  void* const library = dlopen(real_cuda.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Fail(Code::kUnavailable, dlerror());
  const std::pair<const char*, Operation*> names[] = {
      {"cuCheckpointProcessLock", &lock_},
      {"cuCheckpointProcessCheckpoint", &checkpoint_},
      {"cuCheckpointProcessRestore", &restore_},
      {"cuCheckpointProcessUnlock", &unlock_}};
  init_ = reinterpret_cast<Init>(dlsym(library, "cuInit"));
  words_ = reinterpret_cast<Name>(dlsym(library, "cuGetErrorString"));
  state_ = reinterpret_cast<Ask>(dlsym(library, "cuCheckpointProcessGetState"));
  bool complete = state_ != nullptr;
  for (const auto& [name, function] : names) {
    *function = reinterpret_cast<Operation>(dlsym(library, name));
    complete = complete && *function != nullptr;
  }
  if (complete) return {};
  return Fail(Code::kUnsupported, "this driver knows no checkpoints",
              "suspending a job on its GPU needs driver 570 or newer");
}

Status Checkpointer::Probe(const std::string& real_cuda) {
  return Checkpointer().Find(real_cuda);
}

Result<Checkpointer> Checkpointer::Open(const std::string& real_cuda) {
  Checkpointer driver;
  YARD_TRY(driver.Find(real_cuda));
  if (const int result = driver.init_ == nullptr ? -1 : driver.init_(0); result != 0) {
    return Fail(Code::kUnavailable,
                "the driver does not start (CUDA error " + driver.WordsFor(result) + ")");
  }
  return driver;
}

// "801: operation not supported"
std::string Checkpointer::WordsFor(int result) const {
  const char* words = nullptr;
  if (words_ == nullptr || words_(result, &words) != 0 || words == nullptr)
    return std::to_string(result);
  return std::to_string(result) + ": " + words;
}

std::unexpected<Error> Checkpointer::Failed(const char* what, pid_t pid, int result) const {
  const Code code = result == kNotSupported ? Code::kUnsupported : Code::kUnavailable;
  return Fail(code, std::string("the driver could not ") + what + " process " +
                        std::to_string(pid) + " (CUDA error " + WordsFor(result) + ")");
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

std::vector<pid_t> Checkpointer::AwayAmong(std::span<const pid_t> pids) const {
  std::vector<pid_t> away;
  for (const pid_t pid : pids) {
    int state = kRunning;
    if (state_(pid, &state) == 0 && state != kRunning) away.push_back(pid);
  }
  return away;
}

Status Checkpointer::Park(std::span<const pid_t> pids, Micros lock_timeout) const {
  for (std::size_t done = 0; done < pids.size(); ++done) {
    const Status parked = ParkOne(pids[done], lock_timeout);
    if (parked) continue;
    for (const pid_t pid : pids.first(done)) (void)UnparkOne(pid);  // AwayAmong tells
    return parked;
  }
  return {};
}

Status Checkpointer::Unpark(std::span<const pid_t> pids, Micros lock_timeout) const {
  for (std::size_t done = 0; done < pids.size(); ++done) {
    const Status back = UnparkOne(pids[done]);
    if (back) continue;
    for (const pid_t pid : pids.first(done)) (void)ParkOne(pid, lock_timeout);
    return back;
  }
  return {};
}

}  // namespace yard::slice

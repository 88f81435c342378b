// Checkpoints of the fake driver: another process's bytes leave the fake GPU and come back. The
// process itself is not held. FOR TESTS ONLY.
#include "slice/fake/fake_state.h"

namespace yard::slice::fake {
namespace {

constexpr int kIllegalState = 401;

TruthEntry* Find(int pid) {
  for (TruthEntry& entry : Shared().entries)
    if (entry.pid == static_cast<std::uint64_t>(pid) && IsAlive(entry.pid)) return &entry;
  return nullptr;
}

}  // namespace

FAKE_API cuCheckpointProcessLock(int pid, void*) {
  TruthEntry* const entry = Find(pid);
  if (entry == nullptr) return kNotFound;
  return entry->locked.exchange(1) == 0 ? kOk : kIllegalState;
}
// With YARD_FAKE_UNPARKABLE set every process has memory that cannot be moved.
FAKE_API cuCheckpointProcessCheckpoint(int pid, void*) {
  if (Said("YARD_FAKE_UNPARKABLE") != nullptr) return kNotSupported;
  TruthEntry* const entry = Find(pid);
  if (entry == nullptr || entry->locked == 0 || entry->parked != 0) return kIllegalState;
  entry->parked = entry->bytes.exchange(0);
  return kOk;
}
FAKE_API cuCheckpointProcessRestore(int pid, void*) {
  TruthEntry* const entry = Find(pid);
  if (entry == nullptr || entry->locked == 0) return kIllegalState;
  if (UsedByAll() + entry->parked > kTotal - kReserved) return kOutOfMemory;
  entry->bytes += entry->parked.exchange(0);
  return kOk;
}
FAKE_API cuCheckpointProcessGetState(int pid, int* state) {
  const TruthEntry* const entry = Find(pid);
  if (entry == nullptr) return kNotFound;
  *state = entry->locked == 0 ? 0 : entry->parked == 0 ? 1 : 2;
  return kOk;
}
FAKE_API cuCheckpointProcessUnlock(int pid, void*) {
  TruthEntry* const entry = Find(pid);
  return entry != nullptr && entry->locked.exchange(0) == 1 ? kOk : kIllegalState;
}
FAKE_API cuGetErrorString(int result, const char** words) {
  *words = result == kNotSupported ? "operation not supported" : "an error of the fake driver";
  return kOk;
}

}  // namespace yard::slice::fake

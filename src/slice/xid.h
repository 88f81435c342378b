// Faults that a GPU reports by itself: XID events, by NVML.
//
// Where NVML has no such events, or not for this GPU, there are none to see.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "slice/nvml.h"

namespace yard::slice {

struct Xid {
  void* gpu = nullptr;  // NVML's handle; of a MIG instance its parent's
  std::uint64_t code = 0;
};

// Whether the GPU itself is broken, rather than a program that used it.
bool IsFault(std::uint64_t code);
// "XID 79: the GPU has fallen off the bus"
std::string Describe(std::uint64_t code);

class XidWatch {
 public:
  // From now on; what happened before is not told.
  explicit XidWatch(const Nvml& nvml);

  // Those that came since the last call. Does not wait.
  std::vector<Xid> Poll();

 private:
  Nvml nvml_;
  void* set_ = nullptr;  // null: no events here
};

}  // namespace yard::slice

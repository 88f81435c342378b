// Takes the GPU work of a process off the GPU and puts it back, by the driver's own checkpoint.
//
// While a process is parked its device memory lies in host memory, the GPU is free for others and
// its CUDA calls wait. The driver must be 570 or newer; host memory must hold what the GPU held.
// Threads: any, one call per process at a time. Calls take as long as the copy.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>

#include "base/result.h"
#include "base/time.h"

namespace yard::slice {

class Checkpointer {
 public:
  // kUnsupported if the driver knows no checkpoints.
  static Result<Checkpointer> Open(const std::string& real_cuda);

  // All of them or none: what was parked before one failed is put back.
  Status Park(std::span<const pid_t> pids, Micros lock_timeout) const;
  // All of them or none, as far as they are parked: what came back before one failed leaves again.
  Status Unpark(std::span<const pid_t> pids, Micros lock_timeout) const;

 private:
  using Operation = int (*)(int pid, void* arguments);
  using Init = int (*)(unsigned flags);
  using Ask = int (*)(int pid, int* state);

  Status ParkOne(pid_t pid, Micros lock_timeout) const;
  Status UnparkOne(pid_t pid) const;

  Operation lock_ = nullptr;
  Operation checkpoint_ = nullptr;
  Operation restore_ = nullptr;
  Operation unlock_ = nullptr;
  Ask state_ = nullptr;
};

}  // namespace yard::slice

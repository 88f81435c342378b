// Takes the GPU work of a process off the GPU and puts it back, by the driver's own checkpoint.
//
// While a process is parked its device memory lies in host memory, the GPU is free for others and
// its CUDA calls wait. The driver must be 570 or newer; host memory must hold what the GPU held.
// Threads: any, one call per process at a time. Calls take as long as the copy.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace yard::slice {

class Checkpointer {
 public:
  // kUnsupported if the driver knows no checkpoints.
  static Result<Checkpointer> Open(const std::string& real_cuda);
  // Whether Open would find them, without starting the driver.
  static Status Probe(const std::string& real_cuda);

  // All of them or none: what was parked before one failed is put back. kUnsupported if the driver
  // cannot do it for such a process, else kUnavailable; both with its words.
  Status Park(std::span<const pid_t> pids, Micros lock_timeout) const;
  // All of them or none, as far as they are parked: what came back before one failed leaves again.
  Status Unpark(std::span<const pid_t> pids, Micros lock_timeout) const;
  // Those of them that are parked or on the way, as the driver says. Who has no CUDA is not.
  std::vector<pid_t> AwayAmong(std::span<const pid_t> pids) const;

 private:
  using Operation = int (*)(int pid, void* arguments);
  using Init = int (*)(unsigned flags);
  using Ask = int (*)(int pid, int* state);
  using Name = int (*)(int result, const char** words);

  Status Find(const std::string& real_cuda);
  Status ParkOne(pid_t pid, Micros lock_timeout) const;
  Status UnparkOne(pid_t pid) const;
  std::string WordsFor(int result) const;
  std::unexpected<Error> Failed(const char* what, pid_t pid, int result) const;

  Init init_ = nullptr;
  Operation lock_ = nullptr;
  Operation checkpoint_ = nullptr;
  Operation restore_ = nullptr;
  Operation unlock_ = nullptr;
  Ask state_ = nullptr;
  Name words_ = nullptr;  // null: the driver has none
};

}  // namespace yard::slice

// How strongly a slice is kept apart from its neighbours; shown wherever a slice is shown.
#pragma once

#include <string_view>

namespace yard::slice {

enum class Isolation {
  kHardware,     // a whole GPU or a MIG instance
  kKernel,       // the kernel's device-memory limits
  kCooperative,  // the stand-in library: stops accidents, not attackers
  kCounted,      // a driver, but nothing that enforces: only the scheduler counts
  kDeclared,     // no hardware behind it
};

constexpr std::string_view Name(Isolation isolation) {
  switch (isolation) {
    case Isolation::kHardware:
      return "hardware";
    case Isolation::kKernel:
      return "kernel";
    case Isolation::kCooperative:
      return "cooperative";
    case Isolation::kCounted:
      return "counted";
    case Isolation::kDeclared:
      return "declared";
  }
  return "declared";
}

// What a node offers for one GPU, as discovery saw it.
struct NodeMeans {
  bool has_driver = false;
  bool whole_gpu = false;  // the workload gets all of it
  bool mig_instance = false;
  bool library = false;        // the stand-in library can be brought into a workload
  bool memory_limits = false;  // the driver sets limits per cgroup (nvmlDeviceSetMemoryLimits)
};

// The strongest level these means give.
constexpr Isolation BestIsolation(const NodeMeans& means) {
  if (!means.has_driver) return Isolation::kDeclared;
  if (means.whole_gpu || means.mig_instance) return Isolation::kHardware;
  if (means.memory_limits) return Isolation::kKernel;
  return means.library ? Isolation::kCooperative : Isolation::kCounted;
}

}  // namespace yard::slice

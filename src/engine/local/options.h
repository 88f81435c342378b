// How a local engine is set up. Plain data.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/quantity.h"
#include "base/time.h"

namespace yard::engine {

// GPUs stated in the settings of a machine that has none. Always shown as declared, without
// metrics.
struct DeclaredGpus {
  int count = 0;
  std::string model;
  Mebibytes memory;
};

// Whether a plain process without an account of its own may run as root, where the server does.
enum class RootTasks { kRefused, kAllowed };

// What closes devices to a task: a program on its control group, or the controller `devices` of
// control groups v1, which kernels without such programs have.
enum class DeviceFilter { kProgram, kController };

// What happens when a task holds more GPU memory than its part by going past the slice library.
// People are told in any case.
enum class GpuOverLimit {
  kWarn,    // nothing else
  kRefuse,  // what it holds counts, so that the library refuses it more
  kFreeze,  // and its processes are stopped until somebody ends them or lets them go on
  kKill,    // and the task is ended
};

// The answer for tasks of a project, by its name; others have the usual one.
struct GpuOverLimitRules {
  GpuOverLimit usual = GpuOverLimit::kRefuse;
  std::map<std::string, GpuOverLimit> of_project = {};
};

struct LocalOptions {
  std::string root;       // tasks and volumes are kept here; at most 80 bytes long
  std::string data_sets;  // folder with a folder per project and version; empty: none
  std::string shim;       // path of the program gpuyard-shim
  const Clock* clock = &SystemClock();
  std::string host;  // name of the node; empty: the machine's
  std::string path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  std::string cgroup = "gpuyard";  // folder of our control groups, no other root's; empty: none
  DeviceFilter device_filter = DeviceFilter::kProgram;  // kController if there is none
  DeclaredGpus declared;
  std::string nvml = "libnvidia-ml.so.1";
  std::string cuda = "libcuda.so.1";          // the driver's, full path or to be searched
  std::string slice_library;                  // folder with our libcuda.so.1; empty: no slices
  std::string memory_file = "/proc/meminfo";  // how much of the machine's memory is free
  std::string proc = "/proc";                 // where the kernel tells of its devices
  GpuOverLimitRules gpu_over_limit;
  // Whether ends are flushed to disk by the shim, beyond surviving a kill of the server.
  bool sync_ends = false;
  // How long after its end a task that left little is put away, see tasks/task_packer.h.
  Micros pack_after = Seconds(30);
  RootTasks root_tasks = RootTasks::kRefused;
  // For tests: called at each step of a launch, and of putting a task away, with its name.
  std::function<void(std::string_view)> at_step;
};

}  // namespace yard::engine

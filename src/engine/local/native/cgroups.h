// Where this machine's control groups are, and the lines that put one task into them.
//
// v2 follows and kills wherever it is mounted; each limit is set where its controller lives, v2
// or v1. Without the right to make groups there are none, and `missing` says why.
// Thread-safe after Open: nothing changes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/local/gpu/device_nodes.h"
#include "engine/local/native/device_memory.h"
#include "engine/local/options.h"
#include "engine/task.h"

namespace yard::engine {

class Cgroups {
 public:
  // Makes the folder `name` in every hierarchy that is used. An empty name: use none.
  static Cgroups Open(const std::string& name, DeviceFilter filter = DeviceFilter::kProgram);
  // The same with the v2 tree mounted there and nothing else; for tests on a tree of plain files.
  static Cgroups OpenAt(const std::string& mount, const std::string& name);
  // Removes the folders again if no task is in them.
  void Close() const;

  bool tracks() const { return !tree_.empty(); }
  bool limits_memory() const { return !memory_.folder.empty(); }
  bool limits_cpu() const { return !cpu_.folder.empty(); }
  // Whether the kernel can limit the memory of the GPU at this bus address.
  bool LimitsDevice(std::string_view address) const {
    return !device_.folder.empty() && device_memory_.Knows(address);
  }
  // Whether devices can be closed to tasks.
  bool filters_devices() const { return has_filter_ || !devices_.folder.empty(); }
  const std::string& missing() const { return missing_; }

  // The groups of one task.
  struct Places {
    std::string tree;    // v2; empty: not followed by a group
    std::string memory;  // where memory is counted; empty: not
    bool memory_is_v1 = false;
    std::vector<std::string> v1;  // made for limits
  };
  Places PlacesOf(const TaskSpec& spec) const;

  // Lines for the shim; an error names a limit that cannot be kept.
  std::string LinesFor(const TaskSpec& spec) const;

  // The same for the devices that the task may open; empty where the kernel cannot filter them.
  std::string FilterLinesFor(const TaskSpec& spec, const DeviceAccess& access) const;

  // The same for the task's parts of GPUs whose memory the kernel can limit; `addresses` are those
  // of its GPUs, in order.
  std::string DeviceLinesFor(const TaskSpec& spec, std::span<const std::string> addresses) const;
  // Writes them for a task that runs.
  void SetDeviceLimits(const TaskSpec& spec, std::span<const std::string> addresses) const;

  // Kills and removes what an untimely end of the shim has left. Waits until it is gone.
  void End(const TaskSpec& spec) const;

 private:
  struct Controller {
    std::string folder;  // empty: not usable
    bool v1 = false;
  };

  struct Entry {
    std::string path;
    std::string value;
  };
  std::vector<Entry> DeviceEntries(const TaskSpec& spec,
                                   std::span<const std::string> addresses) const;
  std::string DenyLinesFor(const TaskSpec& spec, const DeviceAccess& access) const;
  void FindMounts(const std::string& name);
  void TakeTree(const std::string& mount, const std::string& name);
  void TakeV1(const std::string& mount, const std::string& options, const std::string& name);

  std::string tree_;
  Controller memory_, cpu_, pids_, device_;
  Controller devices_;  // v1, used where the tree takes no filter
  bool has_filter_ = false;
  DeviceMemory device_memory_;
  std::string missing_;
};

// "0198…-….0"
std::string GroupName(const TaskKey& key);

// The processes listed in a group's cgroup.procs.
std::vector<int> ProcessesIn(const std::string& group);

}  // namespace yard::engine

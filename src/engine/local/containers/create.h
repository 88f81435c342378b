// From a task to the request that creates its container. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "engine/local/containers/daemon.h"
#include "engine/local/containers/id_space.h"
#include "engine/task.h"

namespace yard::engine::containers {

inline constexpr char kAttemptLabel[] = "gpuyard.attempt";
inline constexpr char kRankLabel[] = "gpuyard.rank";
inline constexpr char kRootLabel[] = "gpuyard.root";
inline constexpr char kTitleLabel[] = "gpuyard.title";

// A folder or file of the machine, as the container sees it.
struct Bind {
  std::string source;
  std::string target;
  bool read_only = false;
};

// How a container gets at the GPUs it was granted.
struct GpuAccess {
  std::vector<std::string> cdi;           // "nvidia.com/gpu=GPU-…"
  std::vector<std::string> device_files;  // "/dev/nvidia0"
  std::string runtime;                    // "nvidia" if the daemon has it; empty: its default
};

// The network that the ranks of one attempt on this machine share.
struct GangNetwork {
  std::string name;
  std::string address;             // of this rank; empty: the daemon's choice
  std::vector<std::string> hosts;  // "name:address" of the others, where the daemon has no names
};

// What the engine adds to the spec.
struct Surroundings {
  DaemonKind daemon = DaemonKind::kDocker;
  IdSpace ids = IdSpace::kDaemons;
  IdRange range;              // of the project
  std::string root;           // of the engine, so that two on one machine stay apart
  std::vector<Bind> binds;    // in the order of the spec's mounts
  std::string cgroup_parent;  // a group of ours that sets the limits; empty: the daemon sets them
  GpuAccess gpus;
  std::optional<GangNetwork> network = {};  // absent: the daemon's usual one, or the machine's
};

// "gpuyard-<attempt>-<rank>": what makes a launch repeatable.
std::string ContainerName(const TaskKey& key);

// A host name from the workload's name, as Kubernetes names a pod; empty: none can be made.
std::string HostName(const TaskSpec& spec);
json::object LabelsOf(const TaskSpec& spec, const Surroundings& surroundings);

// The body of the request, as JSON; for containers that need no ids of their own.
//
// `command` replaces the image's entry point and with it the image's command; `args` alone replace
// the image's command and keep its entry point. In a user namespace of the daemon the container has
// the daemon's usual capabilities and those asked for, on the machine itself none. No new ones can
// be gained.
std::string CreateBody(const TaskSpec& spec, const Surroundings& surroundings);

}  // namespace yard::engine::containers

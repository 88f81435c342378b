#include "engine/local/node_probe.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace yard::engine {

std::string HostName() {
  utsname names{};
  ::uname(&names);
  return names.nodename;
}

NodeState ProbeNode(const std::string& name) {
  NodeState node;
  node.name = name;
  node.cpu = MilliCpu(::sysconf(_SC_NPROCESSORS_ONLN) * 1000);
  struct sysinfo about{};
  if (::sysinfo(&about) == 0)
    node.memory = Mebibytes(static_cast<std::int64_t>(about.totalram * about.mem_unit >> 20));
  utsname names{};
  ::uname(&names);
  node.labels = {{"gpuyard.io/engine", "local"},
                 {"kubernetes.io/hostname", name},
                 {"kubernetes.io/arch", names.machine},
                 {"gpuyard.io/kernel", names.release}};
  return node;
}

}  // namespace yard::engine

// The folder of a slice on disk: what a process or container needs to find its slice.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace yard::slice {

struct Libraries {
  std::string ours;       // folder with our libcuda.so.1, libnvidia-ml.so.1 and Vulkan layer
  std::string real_cuda;  // full paths of the driver's files
  std::string real_nvml;
};

// Makes <folder>/lib with our libraries under all their names, <folder>/real with links to the
// driver's, and below <folder>/share the file that tells Vulkan's loader of our layer.
Status MakeFolder(const std::string& folder, const Libraries& libraries);

// A listening unix socket at <folder>/door/agent.sock that every user may connect to.
Result<int> Listen(const std::string& folder);

struct Mount {
  std::string from, to;
};

// For a container: mount these, read-only, and set ProcessEnvironment(kContainerDir, …). Vulkan's
// loader finds our layer at a place of its own, whatever the environment says.
// `driver_files` are those of the driver's libcuda.so*, libnvidia-ml.so* that nobody else mounts
// into it, as the container will see them: ours stand in their place.
std::vector<Mount> ContainerMounts(const std::string& folder, const Libraries& libraries,
                                   const std::vector<std::string>& driver_files);

// For a plain process: set these, in front of what is there already.
struct Variable {
  std::string name, value;
};
std::vector<Variable> ProcessEnvironment(const std::string& folder,
                                         const std::string& library_path);
// And these, beside what the process has in XDG_DATA_DIRS: one of the folders where every version
// of Vulkan's loader looks for layers. Empty means the usual folders, as for everybody who reads
// it.
std::vector<Variable> LayerEnvironment(const std::string& folder, const std::string& data_folders);

}  // namespace yard::slice

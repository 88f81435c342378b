#include "slice/agent/folder.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "slice/protocol.h"

namespace yard::slice {
namespace {

namespace fs = std::filesystem;

struct Name {
  const char* link;
  const char* file;
};

constexpr Name kOurNames[] = {{"libcuda.so.1", "libcuda.so.1"},
                              {"libcuda.so", "libcuda.so.1"},
                              {"libnvidia-ml.so.1", "libnvidia-ml.so.1"},
                              {"libnvidia-ml.so", "libnvidia-ml.so.1"},
                              {"libgpuyard-vulkan.so.1", "libgpuyard-vulkan.so.1"}};

constexpr const char* kLayer = "VK_LAYER_GPUYARD_slice";
constexpr const char* kImplicit = "vulkan/implicit_layer.d";
constexpr const char* kUsualData = "/usr/local/share:/usr/share";
constexpr const char* kContainerManifest = "container-layer.json";

// What Vulkan's loader reads. It passes over a layer that nobody asked for and that does not say
// how it is left out. Memory that Vulkan takes without ours is found with NVML.
std::string Manifest(const std::string& library) {
  return R"({"file_format_version": "1.2.0", "layer": {"name": ")" + std::string(kLayer) +
         R"(", "type": "GLOBAL", "library_path": ")" + library +
         R"(", "api_version": "1.4.303", "implementation_version": "1",
 "description": "counts GPU memory of Vulkan in the workload's part of the GPU",
 "disable_environment": {"GPUYARD_WITHOUT_VULKAN_LAYER": "1"}}}
)";
}

Status Write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  std::error_code error;
  fs::permissions(path, fs::perms(0644), error);  // for every user
  if (file && !error) return {};
  return Fail(Code::kUnavailable, "cannot write " + path + ": is the disk full?");
}

// Links rather than copies: the library takes its place from the path it was loaded by.
Status Link(const std::string& target, const std::string& link) {
  std::error_code error;
  fs::remove(link, error);
  fs::create_symlink(target, link, error);
  if (error) return Fail(Code::kUnavailable, "cannot link " + link + ": " + error.message());
  return {};
}

}  // namespace

Status MakeFolder(const std::string& folder, const Libraries& libraries) {
  std::error_code error;
  fs::create_directories(folder + "/lib", error);
  for (const char* part : {"/real", "/door", "/share/vulkan/implicit_layer.d"})
    if (!error) fs::create_directories(folder + part, error);
  if (error) return Fail(Code::kUnavailable, "cannot make " + folder + ": " + error.message());
  for (const Name& name : kOurNames)
    YARD_TRY(Link(libraries.ours + "/" + name.file, folder + "/lib/" + name.link));
  YARD_TRY(Write(folder + "/share/" + kImplicit + "/gpuyard_slice.json",
                 Manifest("../../../lib/libgpuyard-vulkan.so.1")));
  YARD_TRY(Write(folder + "/" + kContainerManifest,
                 Manifest(std::string(kContainerDir) + "/lib/libgpuyard-vulkan.so.1")));
  YARD_TRY(Link(libraries.real_cuda, folder + "/real/libcuda.so.1"));
  return Link(libraries.real_nvml, folder + "/real/libnvidia-ml.so.1");
}

Result<int> Listen(const std::string& folder) {
  const std::string path = folder + "/" + kSocketName;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path))
    return Fail(Code::kInvalid, "the slice folder's path is too long for a socket: " + path);
  std::strcpy(address.sun_path, path.c_str());
  unlink(path.c_str());
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0 && bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
      chmod(path.c_str(), 0666) == 0 && listen(fd, 256) == 0)
    return fd;
  if (fd >= 0) close(fd);
  return Fail(Code::kUnavailable, "cannot listen on " + path + ": " + std::strerror(errno));
}

std::vector<Mount> ContainerMounts(const std::string& folder, const Libraries& libraries,
                                   const std::vector<std::string>& driver_files) {
  const std::string inside = kContainerDir;
  std::vector<Mount> mounts = {
      {folder + "/" + kDoorName, inside + "/" + kDoorName},
      {folder + "/" + kContainerManifest, std::string("/etc/") + kImplicit + "/gpuyard_slice.json"},
      {libraries.real_cuda, inside + "/real/libcuda.so.1"},
      {libraries.real_nvml, inside + "/real/libnvidia-ml.so.1"}};
  for (const Name& name : kOurNames)
    mounts.push_back({libraries.ours + "/" + name.file, inside + "/lib/" + name.link});
  for (const std::string& file : driver_files) {
    const bool nvml = file.find("libnvidia-ml.so") != std::string::npos;
    mounts.push_back({libraries.ours + (nvml ? "/libnvidia-ml.so.1" : "/libcuda.so.1"), file});
  }
  return mounts;
}

std::vector<Variable> ProcessEnvironment(const std::string& folder,
                                         const std::string& library_path) {
  const std::string lib = folder + "/lib";
  return {{"LD_LIBRARY_PATH", library_path.empty() ? lib : lib + ":" + library_path},
          {"LD_PRELOAD", lib + "/libcuda.so.1"}};
}

std::vector<Variable> LayerEnvironment(const std::string& folder, const std::string& data_folders) {
  return {
      {"XDG_DATA_DIRS", folder + "/share:" + (data_folders.empty() ? kUsualData : data_folders)}};
}

}  // namespace yard::slice

#include "slice/agent/folder.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

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
                              {"libnvidia-ml.so", "libnvidia-ml.so.1"}};

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
  for (const char* part : {"/real", "/door"})
    if (!error) fs::create_directories(folder + part, error);
  if (error) return Fail(Code::kUnavailable, "cannot make " + folder + ": " + error.message());
  for (const Name& name : kOurNames)
    YARD_TRY(Link(libraries.ours + "/" + name.file, folder + "/lib/" + name.link));
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
  std::vector<Mount> mounts = {{folder + "/" + kDoorName, inside + "/" + kDoorName},
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

}  // namespace yard::slice

#include "engine/local/containers/gpu_access.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/file.h"
#include "base/strings.h"

namespace yard::engine::containers {
namespace {

namespace fs = std::filesystem;

// By the beginnings of their names: a number follows, the interface's or the driver's.
constexpr std::array<std::string_view, 2> kReplaced = {"libcuda.so.", "libnvidia-ml.so."};
constexpr std::array<std::string_view, 5> kBeside = {"libcudadebugger.so.", "libnvidia-gpucomp.so.",
                                                     "libnvidia-nvvm.so.", "libnvidia-nvvm70.so.",
                                                     "libnvidia-ptxjitcompiler.so."};

bool BeginsWithOne(std::string_view name, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings,
                             [&](std::string_view one) { return name.starts_with(one); });
}

std::vector<fs::path> Entries(const std::string& folder) {
  std::vector<fs::path> entries;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
    entries.push_back(entry.path());
  return entries;
}

// All CDI descriptions together: a name is looked for as a whole word in quotes or at a line's end.
bool Describes(const std::string& descriptions, const std::string& uuid) {
  for (std::size_t at = 0; (at = descriptions.find(uuid, at)) != std::string::npos; ++at) {
    std::size_t end = at + uuid.size();
    if (end == descriptions.size() || std::string_view("\"' \n,").contains(descriptions[end]))
      return true;
  }
  return false;
}

// "GPU UUID: 	 GPU-…" and "Device Minor: 	 0"
std::map<std::string, std::string> DeviceFiles(const GpuPlaces& places) {
  std::map<std::string, std::string> files;
  for (const fs::path& gpu : Entries(places.driver)) {
    std::string uuid;
    std::string minor;
    const std::string text = ReadFileOrEmpty(gpu / "information");
    for (std::string_view line : Split(text, '\n')) {
      std::size_t colon = line.find(':');
      if (colon == std::string_view::npos) continue;
      if (line.starts_with("GPU UUID")) uuid = Trim(line.substr(colon + 1));
      if (line.starts_with("Device Minor")) minor = Trim(line.substr(colon + 1));
    }
    if (!uuid.empty() && !minor.empty())
      files[uuid] = fmt::format("{}/nvidia{}", places.devices, minor);
  }
  return files;
}

}  // namespace

GpuAccess FindGpuAccess(std::span<const GpuGrant> grants, const GpuPlaces& places) {
  GpuAccess access;
  if (grants.empty()) return access;
  std::string descriptions;
  for (const std::string& folder : places.cdi_folders)
    for (const fs::path& file : Entries(folder)) descriptions += ReadFileOrEmpty(file);
  auto described = [&](const GpuGrant& grant) { return Describes(descriptions, grant.uuid); };
  if (std::ranges::all_of(grants, described)) {
    for (const GpuGrant& grant : grants) access.cdi.push_back("nvidia.com/gpu=" + grant.uuid);
    return access;
  }
  const std::map<std::string, std::string> files = DeviceFiles(places);
  for (const GpuGrant& grant : grants) {
    if (auto found = files.find(grant.uuid); found != files.end())
      access.device_files.push_back(found->second);
  }
  if (access.device_files.empty()) return access;
  for (const char* common : {"nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset"}) {
    fs::path path = fs::path(places.devices) / common;
    if (fs::exists(path)) access.device_files.push_back(path);
  }
  return access;
}

std::vector<Bind> DriverBinds(const std::string& cuda, Stands stands,
                              std::span<const Mount> mounts) {
  std::vector<Bind> binds;
  const std::string folder = fs::path(cuda).parent_path();
  const auto covers = [&](const Mount& mount) {
    return (folder + "/").starts_with(mount.target + "/");
  };
  if (cuda.empty() || std::ranges::any_of(mounts, covers)) return binds;
  for (const fs::path& file : Entries(folder)) {
    const std::string name = file.filename();
    const bool wanted = BeginsWithOne(name, kBeside) ||
                        (stands == Stands::kDrivers && BeginsWithOne(name, kReplaced));
    if (wanted) binds.push_back({file, file, true});
  }
  std::ranges::sort(binds, {}, &Bind::target);
  return binds;
}

}  // namespace yard::engine::containers

#include "model/host_paths.h"

#include <algorithm>
#include <array>

namespace yard {
namespace {

constexpr std::array<std::string_view, 24> kClosed{"/etc",
                                                   "/proc",
                                                   "/sys",
                                                   "/dev",
                                                   "/run",
                                                   "/boot",
                                                   "/root",
                                                   "/var/run",
                                                   "/var/lib/containers",
                                                   "/var/lib/docker",
                                                   "/var/lib/containerd",
                                                   "/var/lib/kubelet",
                                                   "/var/lib/gpuyard",
                                                   "/var/lib/dpkg",
                                                   "/var/lib/systemd",
                                                   "/var/spool",
                                                   "/var/cache/apt",
                                                   "/var/log",
                                                   "/var/backups",
                                                   "/lost+found",
                                                   "/efi",
                                                   "/snap",
                                                   "/initrd.img",
                                                   "/vmlinuz"};
constexpr std::array<std::string_view, 7> kPrograms{"/usr",   "/bin",   "/sbin",  "/lib",
                                                    "/lib32", "/lib64", "/libx32"};

bool Meets(std::string_view path, std::string_view folder) {
  return LiesIn(path, folder) || LiesIn(folder, path);
}

}  // namespace

std::optional<std::string> NormalPath(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  auto is_bad = [](unsigned char c) { return c < ' ' || c == 0x7f || c == ',' || c == '\\'; };
  if (std::ranges::any_of(text, is_bad)) return std::nullopt;
  std::string path;
  while (!text.empty()) {
    text.remove_prefix(1);
    std::string_view part = text.substr(0, text.find('/'));
    text.remove_prefix(part.size());
    if (part == "..") return std::nullopt;
    if (part.empty() || part == ".") continue;
    path.append("/").append(part);
  }
  return path.empty() ? "/" : path;
}

bool LiesIn(std::string_view path, std::string_view folder) {
  if (folder == "/" || path == folder) return true;
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::optional<std::string> ClosedFolder(std::string_view path, MountAccess access,
                                        std::span<const std::string> closed) {
  if (path == "/") return "/";
  for (std::string_view folder : kClosed) {
    if (Meets(path, folder)) return std::string(folder);
  }
  for (const std::string& folder : closed) {
    if (Meets(path, folder)) return folder;
  }
  for (std::string_view folder : kPrograms) {
    if (access == MountAccess::kWrite && Meets(path, folder)) return std::string(folder);
  }
  return std::nullopt;
}

}  // namespace yard

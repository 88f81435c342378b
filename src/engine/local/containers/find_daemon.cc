// Where container daemons are found, and what to say of them; see container_runner.h.
#include <unistd.h>

#include <array>
#include <span>

#include <fmt/format.h>

#include "engine/local/containers/container_runner.h"
#include "engine/local/containers/daemon.h"

namespace yard::engine::containers {
namespace {

constexpr std::string_view kWithoutNamespaces =
    "it has no user namespaces, so containers are never root and have no capabilities; put "
    "{\"userns-remap\": \"default\"} into /etc/docker/daemon.json and restart docker, or use "
    "podman";

bool HasNamespaces(const DaemonFacts& facts) {
  return facts.kind == DaemonKind::kPodman || facts.rootless || facts.remapped;
}

}  // namespace

std::span<const std::string> UsualSockets() {
  static const std::array<std::string, 3> sockets = {"/run/podman/podman.sock", "/run/docker.sock",
                                                     "/var/run/docker.sock"};
  return sockets;
}

std::string DescribeDaemon(const std::string& socket) {
  Result<DaemonFacts> facts = Daemon(socket).Facts();
  if (!facts) return socket;
  return fmt::format("{} {} at {}{}", facts->kind == DaemonKind::kPodman ? "podman" : "docker",
                     facts->version, socket,
                     HasNamespaces(*facts) ? "" : fmt::format("; {}", kWithoutNamespaces));
}

std::optional<std::string> MissingNamespaces(const std::string& socket) {
  Result<DaemonFacts> facts = Daemon(socket).Facts();
  if (!facts || HasNamespaces(*facts)) return std::nullopt;
  return std::string(kWithoutNamespaces);
}

std::optional<std::string> StorageFolder(const std::string& socket) {
  Result<DaemonFacts> facts = Daemon(socket).Facts();
  if (!facts || facts->storage.empty()) return std::nullopt;
  return facts->storage;
}

std::optional<std::string> FindDaemon(std::span<const std::string> sockets) {
  for (const std::string& socket : sockets) {
    if (::access(socket.c_str(), R_OK | W_OK) == 0 && Daemon(socket).Ping()) return socket;
  }
  return std::nullopt;
}

}  // namespace yard::engine::containers

// The engine a server runs work with, as its settings say.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/settings.h"
#include "base/result.h"
#include "control/launch/spec.h"
#include "engine/engine.h"

namespace yard::app {

// Null if the settings ask for none.
Result<std::unique_ptr<engine::Engine>> OpenEngine(const Settings& settings);

// The engine of one of `clusters:`. It need not be in contact.
Result<std::unique_ptr<engine::Engine>> OpenClusterEngine(const Settings& settings,
                                                          const ClusterSettings& cluster);

// Sockets and storage of the container daemon, and the folder of our own programs: what no work
// may mount.
std::vector<std::string> DaemonFolders(const Settings& settings);

// Those and the server's own: its data directory and its socket.
std::vector<std::string> OwnFolders(const Settings& settings, std::vector<std::string> daemon);

// Where a path leads to, links followed; a part that is not there stays as it is.
Result<std::string> ResolvePath(const std::string& path);

// The socket's place; empty if the path is too long for the kernel and nobody asked for it.
std::string SocketPath(const Settings& settings);

// As whom work runs; the vault must outlive it.
control::LaunchContext LaunchContextOf(const Settings& settings, const control::Vault& vault,
                                       control::MachineAccounts accounts);

// "8xA100:40Gi": count, model, memory of each.
struct GpuStatement {
  int count = 0;
  std::string model;
  Mebibytes memory;
};
Result<GpuStatement> ParseGpuStatement(std::string_view text);

}  // namespace yard::app

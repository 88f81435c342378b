// What work may have of the machine it runs on beyond a container or a process of its own: folders
// of the host, capabilities, the host's network and IPC, and user or group ids.
//
// Nothing is allowed until an administrator lists it for a project or for a wider scope. A
// host-path asset counts as listed for exactly its path. Whatever is listed, folders of the system
// and those of the server stay closed; see model/host_paths.h. Only reads; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "base/result.h"
#include "control/state/state.h"
#include "model/host_paths.h"
#include "model/spec/storage.h"

namespace yard::control {

struct HostPathGrant {
  std::string path;  // normal
  MountAccess access = MountAccess::kRead;
};

struct IdRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// A volume that lies in a folder of the machines, or on an NFS server.
struct ClaimGrant {
  std::string claim;
  std::string source;  // a normal path, or "server:/export"
  MountAccess access = MountAccess::kRead;
};

struct HostAccess {
  std::vector<HostPathGrant> paths;
  std::vector<HostPathGrant> exact;  // of assets: the path itself and nothing below it
  std::vector<std::string> capabilities;
  std::vector<ClaimGrant> claims;
  std::vector<std::string> made_claims;  // volumes that a data source says are to be made
  std::vector<IdRange> ids;
  bool network = false;
  bool ipc = false;

  // The listed folder that allows the mount; nothing: none does.
  std::optional<std::string> FolderFor(std::string_view path, MountAccess access) const;
  // Where the volume of this name lies; null: the engine keeps it. The list of the narrowest scope
  // decides.
  const ClaimGrant* ClaimFor(std::string_view claim) const;
  bool MakesClaim(std::string_view claim) const;
  bool AllowsCapability(std::string_view name) const;
  bool AllowsId(std::int64_t id) const;
};

// For writing unless it says otherwise.
MountAccess AccessOf(const HostPathMount& mount);

// "cap_sys_ptrace" -> "SYS_PTRACE".
std::string CapabilityName(std::string_view text);
// In the set that Docker gives to every container.
bool IsUsualCapability(std::string_view name);

// A list as an administrator sends it: {paths, claims, capabilities, ids, hostNetwork, hostIpc};
// kInvalid with all that is wrong.
Result<HostAccess> ReadHostAccess(const json::object& body, const std::vector<std::string>& closed);

// Where the list of a scope is kept among the settings.
std::string HostAccessKey(const Scope& scope);
std::optional<Scope> ScopeOfHostAccess(std::string_view key);
bool IsHostAccessKey(std::string_view key);

// Where the server keeps which folders and sockets are its own. They are never mounted.
std::string ClosedFoldersKey();
std::vector<std::string> ClosedFolders(const State& state);

// Everything that is listed for the scope and for those above it.
HostAccess HostAccessAt(const State& state, const ScopePath& where);

}  // namespace yard::control

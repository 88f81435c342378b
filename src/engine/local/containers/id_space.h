// Whose ids the processes of a container have on the machine, so that its root is never the
// machine's. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/local/containers/daemon.h"
#include "engine/task.h"

namespace yard::engine::containers {

enum class IdSpace {
  kMapped,   // a user namespace that we ask for: ids of the project's range
  kDaemons,  // the daemon's own user namespace: it is rootless, or maps every container
  kMachine,  // none: the ids are the machine's, so it is not root and has no capabilities
};

inline constexpr std::uint32_t kIdsOfContainer = 65'536;
// The range up to 2^31 is left alone by distributions and by systemd. Ours go up to 0x77ff'ffff;
// the numbers above are of people without an account (control/launch/isolated.cc).
inline constexpr std::uint32_t kFirstIdOfContainers = 0x7000'0000;
inline constexpr std::uint32_t kIdRanges = 2048;

// Ids of the machine from this one on, so many as a container has.
struct IdRange {
  std::uint32_t first = kFirstIdOfContainers;
};

// An id of the machine asked for by number is meant as such. All else is mapped where the daemon
// can.
IdSpace IdSpaceOf(const TaskSpec& spec, const DaemonFacts& facts);

// All work of a project has the same ids, since it shares volumes.
std::string_view ProjectOf(const TaskSpec& spec);

// Who owns what is made on the machine for the container.
Account OwnerOnMachine(const TaskSpec& spec, IdSpace ids, IdRange range);

// kInvalid if it asks for capabilities that would hold on the machine itself.
Status RequireCapabilities(const TaskSpec& spec, const DaemonFacts& facts);

// The user to name to the daemon, "uid:gid"; empty: the image's.
std::string UserInside(const TaskSpec& spec, IdSpace ids, IdRange range);

}  // namespace yard::engine::containers

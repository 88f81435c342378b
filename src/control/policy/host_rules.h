// Refuses work that asks for more of its machine than host_access.h allows. The same rules hold
// when work is submitted and when it is launched. Only reads; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/auth/access.h"
#include "control/policy/host_access.h"
#include "control/state/state.h"
#include "model/asset.h"
#include "model/spec/spec.h"
#include "model/workload.h"

namespace yard::control {

// Every spec of the workload; kForbidden with the field, the reason and who can allow it.
Status RequireHostAccess(const State& state, const Workload& workload);

// One spec. `root` is its name in the request: "spec" or "masterSpec".
struct HostQuestion {
  const State& state;
  const HostAccess& access;
  ProjectId project;
  std::string_view root;
};
Status RequireHostAccess(const HostQuestion& question, const WorkloadSpec& spec);

// What a listed path has turned out to be on the machine, symbolic links followed. `folder` is the
// listed folder that allowed it, followed likewise.
struct ResolvedPath {
  std::string path;
  std::string folder;
  MountAccess access = MountAccess::kRead;
};
Status RequireInside(const State& state, const ResolvedPath& resolved);

// The user and group ids a container asks to run with. An account's own ids need no list.
struct AskedIds {
  std::int64_t uid = 0;
  std::int64_t gid = 0;
  std::vector<std::int64_t> groups;
  std::vector<std::int64_t> own_users;
  std::vector<std::int64_t> own_groups;
};
Status RequireIds(const HostQuestion& question, const AskedIds& asked);

// A registry's name of an image, and not a way to read a file of the machine.
Status RequireImageName(std::string_view image, std::string_view field);

// A host-path asset widens what work may mount, so it is made by somebody who may change the lists
// or within what is listed.
Status RequireHostPathAsset(const State& state, const Principal& who, const Asset& asset,
                            const ScopePath& where);

}  // namespace yard::control

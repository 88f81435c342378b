// Who may use a credential in work: everybody who may read credentials in the work's project. A
// credential of a wider scope is there for the projects below it.
//
// Asked when work is submitted and again of its owner when it is launched. Only reads; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "control/auth/access.h"
#include "control/state/state.h"
#include "model/workload.h"

namespace yard::control {

// Whoever submitted it, with the groups and rules of now.
Principal OwnerOf(const State& state, const Workload& workload);

bool MayUseCredentials(const State& state, const Principal& who, const ScopePath& where);

// kForbidden with the field if a spec of the workload names a credential that `who` may not use.
Status RequireCredentialUse(const State& state, const Principal& who, const Workload& workload);

// The host of a registry, as images and credentials name it, with its port unless that is the
// usual one: "https://Registry.lab:443/v2/" -> "registry.lab". All names of Docker Hub are
// "docker.io".
std::string RegistryHost(std::string_view address);
// "registry.lab:5000/x/y:1" -> "registry.lab:5000"; an image without a host is on Docker Hub.
std::string RegistryOfImage(std::string_view image);

}  // namespace yard::control

// What a server needs before its first request: a cluster, a pool, a department, the predefined
// roles and an administrator.
//
// Safe to call at every start: what is there stays as it is, except that the predefined roles
// follow the code.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "control/service.h"

namespace yard::control {

inline constexpr std::string_view kFirstAdministrator = "admin@gpuyard.local";

struct BootstrapOptions {
  std::string admin_email = std::string(kFirstAdministrator);
  std::string admin_password_hash;  // see control/identity.h; empty: signs in by socket only
  // Printed: the administrator is asked to change it, and need not.
  enum class Origin { kGiven, kPrinted };
  Origin password = Origin::kGiven;
};

// Whether nobody has been here yet, so that the caller knows to make and print a password.
bool NeedsBootstrap(const State& state);

// Blocks until it is durable; not from an I/O thread.
Status Bootstrap(Service& service, const BootstrapOptions& options);

// For a machine with one user: a project without limits, so that work can start at once. Nothing
// if there is a project already. Blocks like Bootstrap.
Status MakeFirstProject(Service& service);

}  // namespace yard::control

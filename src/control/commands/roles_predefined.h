// The roles every installation has, and what they allow.
//
// Their ids and names are fixed: scripts look roles up by name and rules refer to them by id.
#pragma once

#include <vector>

#include "model/access.h"

namespace yard::control {

inline constexpr RoleId kSystemAdministrator{1};

// In id order, from 1. Stamps are left empty.
const std::vector<Role>& PredefinedRoles();

}  // namespace yard::control

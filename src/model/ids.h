// The identities of the product. Integers where Run:ai's contract has integers, UUIDs elsewhere.
#pragma once

#include "base/strong.h"
#include "base/uuid.h"

namespace yard {

using UserId = StrongId<struct UserTag, Uuid>;
using ApplicationId = StrongId<struct ApplicationTag, Uuid>;
using TokenId = StrongId<struct TokenTag, Uuid>;
using RoleId = StrongId<struct RoleTag>;
using AccessRuleId = StrongId<struct AccessRuleTag>;
using DepartmentId = StrongId<struct DepartmentTag>;
using ProjectId = StrongId<struct ProjectTag>;
using NodePoolId = StrongId<struct NodePoolTag>;
using ReservationId = StrongId<struct ReservationTag, Uuid>;
using ClusterId = StrongId<struct ClusterTag, Uuid>;
using NodeId = StrongId<struct NodeTag, Uuid>;
using AssetId = StrongId<struct AssetTag, Uuid>;
using PolicyId = StrongId<struct PolicyTag, Uuid>;
using WorkloadId = StrongId<struct WorkloadTag, Uuid>;
using AttemptId = StrongId<struct AttemptTag, Uuid>;

}  // namespace yard

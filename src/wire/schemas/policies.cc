#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

// Defaults and rules mirror the spec of a workload, of whichever kind; control/policy_engine.h says
// how they are read, control/policy_fields.cc checks their names.
const std::string_view kPolicies = R"(
PolicySpec : TrainingSpec DistributedSpec InferenceSpec
PolicyMetaDraft
  name*         string(1..253)
  scope*        tenant|cluster|department|project
  projectId     int?
  departmentId  string(1..)?
  clusterId     uuid?
PolicyBody
  defaults       object?
  rules          object?
  imposedAssets  any?
  status         object?
PolicyOverwrite
  meta*    PolicyMetaDraft
  policy*  PolicyBody
PolicyPatch
  meta*    PolicyMetaDraft
  policy   PolicyBody?
  reset    [string]?
PolicyMeta : PolicyMetaDraft
  id*          uuid
  tenantId     int
  createdBy*   string
  createdAt*   time
  updatedBy*   string
  updatedAt*   time
PolicyAnswer
  meta                PolicyMeta
  policy              PolicyBody?
  effective           PolicyBody?
  effectiveUpdatedAt  time
PolicySync
  clusterId*    uuid
  status*       string
PolicyStatus
  clusters      [PolicySync]
PolicyListEntry
  type      workspace|training|distributed|inference|fallback
  meta      PolicyMeta
  status    PolicyStatus
PolicyList
  policies  [PolicyListEntry]
)";

}  // namespace yard::wire::schemas

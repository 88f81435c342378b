// Whether a workload made from an asset would comply with the policies of a project.
#pragma once

#include <optional>

#include "api/handler.h"
#include "control/policy/policy.h"
#include "wire/asset.h"

namespace yard::api {

// complyToProject, complyToWorkloadType and complyToReplicaType; nothing if not asked for.
Result<std::optional<control::Submission>> ReadSubmission(const Call& call);

// About the fields that the asset itself decides.
wire::AssetCompliance ComplianceOf(const control::State& state, const Asset& asset,
                                   const control::Submission& submission);

}  // namespace yard::api

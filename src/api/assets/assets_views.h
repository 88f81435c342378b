// How assets look in answers, and which of them a list shows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/handler.h"
#include "control/commands/assets.h"
#include "control/policy/policy.h"
#include "wire/asset.h"

namespace yard::api {

// What a request wants to know beside the asset itself.
struct AssetExtras {
  std::optional<control::AssetSight> usage;  // who uses it, as far as the caller may see them
  std::optional<control::Submission> comply;
  bool status = false;
};
Result<AssetExtras> ReadExtras(const Call& call);

// Whether the spec stands alone or, in lists of several kinds, under the kind's name.
enum class SpecForm { kAlone, kUnderKind };

wire::AssetView ViewOf(const control::State& state, const Asset& asset, const AssetExtras& extras,
                       SpecForm form = SpecForm::kAlone);

// The list parameters of assets: name, scope, projectId, departmentId, clusterId, assetIds, and
// for environments and templates the workload types they are made for.
using AssetFilter = std::function<bool(const Asset&)>;
Result<AssetFilter> ReadFilter(const Call& call);

}  // namespace yard::api

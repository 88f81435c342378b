// The blocks of schema notation, one per group of resources.
#pragma once

#include <span>
#include <string_view>

namespace yard::wire::schemas {

extern const std::string_view kCommon;
extern const std::string_view kOrg;
extern const std::string_view kInfra;
extern const std::string_view kAssets;
extern const std::string_view kPolicies;
extern const std::string_view kWorkloads;
extern const std::string_view kWorkloadViews;
extern const std::string_view kIam;
extern const std::string_view kLive;
extern const std::string_view kNotifications;
extern const std::string_view kTracking;
extern const std::string_view kStudies;
extern const std::string_view kData;

std::span<const std::string_view> Blocks();

}  // namespace yard::wire::schemas

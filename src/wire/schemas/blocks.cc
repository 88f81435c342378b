#include "wire/schemas/blocks.h"

#include <vector>

namespace yard::wire::schemas {

const std::string_view kCommon = R"(
Error
  code*      int(100..599)
  message*   string
  details    string
  complianceIssues  [ComplianceIssue]
ComplianceIssue
  field*     string
  details*   string
Accepted
  code*      int
  message*   string
Count
  count*     int
Version
  product*   string
  version*   string
  contract*  string
Health
  status*    string
)";

std::span<const std::string_view> Blocks() {
  static const std::vector<std::string_view> blocks{
      kCommon,        kOrg,  kIam,           kInfra,    kAssets,  kPolicies, kWorkloads,
      kWorkloadViews, kLive, kNotifications, kTracking, kStudies, kData,
  };
  return blocks;
}

}  // namespace yard::wire::schemas

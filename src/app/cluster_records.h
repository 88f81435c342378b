// The records of clusters that the settings name.
#pragma once

#include <vector>

#include "app/cluster_settings.h"
#include "base/result.h"
#include "control/service.h"
#include "model/ids.h"

namespace yard::app {

// One id for each cluster of the settings, in order; those that are not there yet are made. All
// other clusters have no engine from now on; their nodes and work stay as they are. `has_own` says
// whether the server's own cluster has one.
Result<std::vector<ClusterId>> MakeClusterRecords(control::Service& service,
                                                  const std::vector<ClusterSettings>& clusters,
                                                  bool has_own);

}  // namespace yard::app

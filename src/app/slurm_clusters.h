// Slurm clusters, as the settings name them.
#pragma once

#include <memory>
#include <string>

#include "app/cluster_settings.h"
#include "base/result.h"
#include "engine/engine.h"

namespace yard::app {

// The engine of a cluster with `engine: slurm`. It asks nobody yet. `shim` is the program
// gpuyard-shim; shared connections have their sockets below the data directory. `data_sets` is the
// folder here that has those of data sets.
Result<std::unique_ptr<engine::Engine>> OpenSlurm(const ClusterSettings& cluster,
                                                  const std::string& data_dir,
                                                  const std::string& shim,
                                                  const std::string& data_sets);

}  // namespace yard::app

// Nodes of Slurm in the words of the engines. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "engine/slurm/nodes.h"
#include "engine/task.h"

namespace yard::engine::slurm {

// GPUs in use by our own tasks, by node.
using OwnUse = std::map<std::string, std::int64_t>;

// Labels: slurm.partition.<name>, slurm.feature.<name>, slurm.reservation.<name>, all "true", and
// slurm.gres=<types>. GPUs that jobs of others hold are shown as foreign use.
NodeState StateOf(const Node& node, const std::map<std::string, Mebibytes>& gpu_memory,
                  const OwnUse& own);

}  // namespace yard::engine::slurm

// Reads the node and pod lists of the openb trace format.
//
// Columns are found by their heading, in any order; others are ignored. The first wrong row is
// refused with the name of the list (a file, for people), its line and field. Thread rule: pure
// functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sched/place/frag.h"

namespace yard::sim {

struct OpenbCluster {
  std::vector<sched::frag::NodeShape> nodes;  // all free
  std::vector<std::string> models;            // by NodeShape::model
};

// Headings sn, cpu_milli, memory_mib, gpu, model.
Result<OpenbCluster> ParseOpenbNodes(std::string_view csv, std::string_view list = "nodes");

// Headings name, cpu_milli, memory_mib, num_gpu, gpu_milli; gpu_spec (models joined by '|') may be
// missing: then every task runs on any model.
Result<std::vector<sched::frag::TaskShape>> ParseOpenbPods(std::string_view csv,
                                                           const std::vector<std::string>& models,
                                                           std::string_view list = "pods");

}  // namespace yard::sim

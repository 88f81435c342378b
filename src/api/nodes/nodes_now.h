// What a node's GPUs measure at this moment, in the words of its metrics. Pure.
#pragma once

#include <string>
#include <vector>

#include "control/live.h"
#include "wire/infra.h"

namespace yard::api {

// Of a type "…_PER_GPU" one for each GPU that measures it, by its number on the node. If nobody
// does, and of a type that is not measured on GPUs, one without values.
std::vector<wire::Measurement> MeasureNow(const std::string& type,
                                          const std::vector<engine::GpuState>& gpus, Time now);

}  // namespace yard::api

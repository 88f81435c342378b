// The parts of a spec that several grammars say, from the texts people write. Pure; kInvalid says
// what is wrong with the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/submit/spec.h"

namespace yard::cli {

Status SetGpus(Spec& spec, std::string_view text);        // "2", "0.5"
Status SetGpuPart(Spec& spec, std::string_view text);     // of each device: "0.5"
Status SetGpuMemory(Spec& spec, std::string_view text);   // of each device: "20G"
Status SetGpuLimit(Spec& spec, std::string_view text);    // may grow to: "0.8" or "20G"
Status SetGpuCompute(Spec& spec, std::string_view text);  // share of its time: "fair"
Status SetCpus(Spec& spec, std::string_view text);        // "4", "0.5"
Status SetMemory(Spec& spec, std::string_view text);      // "16G"; a bare number is MiB
// Slurm's units count by 1024: "16G" is "16Gi".
Status SetSlurmMemory(Spec& spec, std::string_view text);
Status SetCpuLimit(Spec& spec, std::string_view text);
Status SetMemoryLimit(Spec& spec, std::string_view text);  // units as in SetSlurmMemory
Status SetTimeLimit(Spec& spec, std::string_view text);    // "2h"
Status SetPools(Spec& spec, std::string_view text);        // "a,b", in order of preference
Status SetVariable(Spec& spec, std::string_view text);     // "K=V"
Status SetRetryOn(Spec& spec, std::string_view text);      // "preempted,node-lost,29"

// One of the two.
// What is kept for it is also the most that it may use, unless a limit is said. A retry needs to be
// told how often.
Status LimitToRequest(Spec& spec);

struct GpuLimit {
  std::optional<double> portion;
  std::string memory;  // a quantity of the API
};
Result<GpuLimit> ParseGpuLimit(std::string_view text);
// A number from 0 to a million.
Result<double> ParseAmount(std::string_view text);
// A whole number of at least `least`.
Result<std::int64_t> ParseCount(std::string_view text, std::int64_t least);

}  // namespace yard::cli

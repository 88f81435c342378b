// Sums of what work held, from its attempts. Pure, in whole numbers, so that parts add up.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/json.h"
#include "base/time.h"

namespace yard::cli {

struct UsageSum {
  std::int64_t workloads = 0;
  std::int64_t attempts = 0;
  std::int64_t milli_gpu_micros = 0;  // thousandths of a GPU times microseconds
  std::int64_t micros = 0;            // of running time

  // "12.50"
  std::string GpuHours() const;
  std::string Hours() const;
};

struct Period {
  Time from;
  Time to;
};

// What one workload held within the period. An attempt that runs still counts until its end.
UsageSum UsageOf(const json::value& workload, const json::array& attempts, const Period& period);
void Add(UsageSum& sum, const UsageSum& more);

}  // namespace yard::cli

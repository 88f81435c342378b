// Metrics of a workload over time, from the samples of its attempts. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/usage/series.h"
#include "control/usage/sum.h"
#include "model/attempt.h"
#include "model/object.h"
#include "model/workload.h"

namespace yard::api {

struct SampledAttempt {
  Ptr<Attempt> attempt;
  control::UsageSeries series;
};

struct SampledWorkload {
  Ptr<Workload> workload;
  std::vector<SampledAttempt> attempts;  // oldest first
};

struct MetricValue {
  std::string value;
  Time at;
};

// Of the types of the contract, those that are measured or known here.
bool IsMeasured(std::string_view type);

// `count` values spread evenly over the period; moments of which nothing is known are left out.
std::vector<MetricValue> ValuesOf(std::string_view type, const SampledWorkload& sampled,
                                  const control::Period& period, std::int64_t count);

}  // namespace yard::api

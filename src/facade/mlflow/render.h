// Tracked things in MLflow's JSON: snake case, times in milliseconds, maps as lists of key and
// value, numbers that JSON cannot write as texts.
#pragma once

#include <string>
#include <string_view>

#include "control/track/catalog.h"
#include "model/tracking.h"
#include "wire/tracking.h"
#include "wire/writer.h"

namespace yard::facade::mlflow {

std::int64_t Milliseconds(Time time);

void WriteKeyValues(wire::Writer& w, std::string_view name, const Tags& pairs);
void WriteMetric(wire::Writer& w, std::string_view key, const MetricPoint& point);
void WriteMetrics(wire::Writer& w, std::string_view name, const control::LatestMetrics& latest);

void Write(wire::Writer& w, const Experiment& experiment);
void WriteInfo(wire::Writer& w, const TrackedRun& run);
void Write(wire::Writer& w, const TrackedRun& run, const control::LatestMetrics& latest);

// {"name": {…}}, where `write(w)` gives the inner object.
template <class Inner>
std::string Wrapped(std::string_view name, Inner inner) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key(name);
  inner(w);
  w.End();
  return out;
}

}  // namespace yard::facade::mlflow

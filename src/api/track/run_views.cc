#include "api/track/run_views.h"

#include <cmath>

#include "control/track/run_links.h"
#include "wire/tracking.h"

namespace yard::api {
namespace {

void WriteMetrics(wire::Writer& w, const control::LatestMetrics& latest, std::size_t most) {
  w.Key("metrics");
  w.BeginList();
  std::size_t written = 0;
  for (const auto& [name, point] : latest) {
    if (written++ == most) break;
    w.Item();
    w.Begin();
    w("name", name);
    w.Key("value");
    WriteNumber(w, point.value);
    w("step", point.step);
    w("time", point.time);
    w.End();
  }
  w.EndList();
  w("metricCount", latest.size());
}

}  // namespace

void WriteNumber(wire::Writer& w, double value) {
  if (std::isfinite(value)) return w.Value(value);
  w.Value(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

void WriteRun(wire::Writer& w, const TrackedRun& run, const control::LatestMetrics& latest,
              const RunNames& names, std::size_t most_metrics) {
  w.Begin();
  w("id", run.id);
  w("name", run.name);
  w("projectId", run.project);
  w("projectName", names.project);
  w("experimentId", run.experiment);
  w("experimentName", names.experiment);
  w("userName", run.user);
  w("status", run.status);
  w("lifecycle", run.lifecycle);
  w("startedAt", run.start);
  w("endedAt", run.end);
  w("workloadId", control::WorkloadOf(run));
  w("params", run.params);
  w("tags", run.tags);
  WriteMetrics(w, latest, most_metrics);
  w.End();
}

}  // namespace yard::api

// Runs and experiments as our API shows them. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "control/track/catalog.h"
#include "wire/writer.h"

namespace yard::api {

// Names around a run.
struct RunNames {
  std::string_view project;
  std::string_view experiment;
};

// Of a run's metrics a list shows the first by name; the run itself shows all.
inline constexpr std::size_t kMostListedMetrics = 200;

void WriteRun(wire::Writer& w, const TrackedRun& run, const control::LatestMetrics& latest,
              const RunNames& names, std::size_t most_metrics);

// A number, or the text "NaN", "Infinity" or "-Infinity", which JSON has no number for.
void WriteNumber(wire::Writer& w, double value);

}  // namespace yard::api

// Search over runs: a scan of the experiments that are asked for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "control/track/catalog.h"
#include "control/track/query.h"

namespace yard::control {

enum class LifecycleView { kActive, kDeleted, kAll };

constexpr bool Shows(LifecycleView view, Lifecycle lifecycle) {
  return view == LifecycleView::kAll ||
         (view == LifecycleView::kActive) == (lifecycle == Lifecycle::kActive);
}

struct RunSearch {
  std::vector<std::string> experiments;
  LifecycleView view = LifecycleView::kActive;
  std::vector<Condition> conditions;
  std::vector<Order> orders;  // then the newest start first, then by id
  std::size_t offset = 0;
  std::size_t limit = 1000;
};

struct FoundRun {
  Shared<TrackedRun> run;
  LatestMetrics latest;
};

struct RunPage {
  std::vector<FoundRun> runs;
  bool more = false;
  std::size_t total = 0;  // on all pages
};

RunPage SearchRuns(const Catalog& catalog, const RunSearch& search);

}  // namespace yard::control

#include "control/study/run_reports.h"

#include <algorithm>

#include "control/track/run_links.h"

namespace yard::control {
namespace {

constexpr std::size_t kPage = 10'000;  // points of one look

}  // namespace

void RunReports::Refresh(const Study& study) {
  if (tracking_ == nullptr || tracking_->catalog().runs() == known_) return;
  known_ = tracking_->catalog().runs();
  const auto experiments = tracking_->catalog().Select<Experiment>(
      [&](const Experiment& one) { return one.project == study.project; });
  for (const Shared<Experiment>& experiment : experiments) {
    const std::vector<RunSlot*> slots = tracking_->catalog().RunsOf(experiment->id);
    std::size_t& seen = seen_[experiment->id];
    for (; seen < slots.size(); ++seen) {
      Shared<TrackedRun> run = slots[seen]->Get();
      std::optional<WorkloadId> workload = WorkloadOf(*run);
      if (workload) runs_[*workload].push_back(run->id);
    }
  }
}

Status RunReports::ReadMetric(const StudySpec& spec, RunSlot& run, const std::string& id,
                              std::size_t metric, std::vector<TrialValues>& reports) {
  const std::string& name = spec.objectives[metric].metric;
  const LatestMetrics latest = run.Latest();
  auto newest = latest.find(name);
  if (newest == latest.end()) return {};
  auto place = read_.find({id, name});
  if (place != read_.end() && !(place->second < newest->second)) return {};
  store::RangeQuery query{.per_step = store::PerStep::kLast, .limit = kPage};
  if (place != read_.end()) query.after = place->second;
  YARD_ASSIGN(store::SeriesRange range,
              tracking_->series().Read({.run = {id}, .name = name}, query));
  for (const MetricPoint& point : range.points) {
    TrialValues values{.step = point.step, .values = {}};
    values.values.resize(spec.objectives.size());
    values.values[metric] = point.value;
    reports.push_back(std::move(values));
  }
  if (!range.points.empty()) read_[{id, name}] = range.points.back();
  return {};
}

Result<std::vector<TrialValues>> RunReports::Read(const Study& study, WorkloadId workload) {
  std::vector<TrialValues> reports;
  auto runs = runs_.find(workload);
  if (runs == runs_.end()) return reports;
  for (const std::string& id : runs->second) {
    RunSlot* run = tracking_->catalog().FindRun(id);
    if (run == nullptr) continue;
    for (std::size_t i = 0; i < study.spec.objectives.size(); ++i) {
      YARD_TRY(ReadMetric(study.spec, *run, id, i, reports));
    }
  }
  std::ranges::stable_sort(reports, {}, &TrialValues::step);
  return reports;
}

void RunReports::Forget(WorkloadId workload) {
  auto runs = runs_.find(workload);
  if (runs == runs_.end()) return;
  for (const std::string& id : runs->second) {
    std::erase_if(read_, [&](const auto& one) { return one.first.first == id; });
  }
  runs_.erase(runs);
}

}  // namespace yard::control

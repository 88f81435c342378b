#include "store/series/memtable.h"

#include <algorithm>
#include <utility>

namespace yard::store {

void Memtable::Apply(SeriesRecord record) {
  if (auto* batch = std::get_if<SeriesBatch>(&record)) {
    Add(std::move(*batch));
  } else {
    Delete(std::get<RunDeletion>(record).run);
  }
}

void Memtable::Add(SeriesBatch batch) {
  FreshRun& run = runs_[batch.run];
  for (SeriesPoints& added : batch.series) {
    if (added.points.empty()) continue;
    auto [found, is_new] = run.series.try_emplace(std::move(added.name));
    FreshSeries& series = found->second;
    if (is_new) series.latest = added.points.front();
    series.latest = std::max(series.latest, std::ranges::max(added.points));
    points_ += added.points.size();
    series.points.insert(series.points.end(), added.points.begin(), added.points.end());
  }
}

void Memtable::Delete(const RunKey& run) {
  FreshRun& fresh = runs_[run];
  for (const auto& [name, series] : fresh.series) points_ -= series.points.size();
  fresh.series.clear();
  fresh.deleted = true;
}

const FreshRun* Memtable::FindRun(const RunKey& run) const {
  auto found = runs_.find(run);
  return found == runs_.end() ? nullptr : &found->second;
}

const FreshSeries* Memtable::Find(const SeriesKey& key) const {
  const FreshRun* run = FindRun(key.run);
  if (run == nullptr) return nullptr;
  auto found = run->series.find(key.name);
  return found == run->series.end() ? nullptr : &found->second;
}

void SortPoints(std::vector<MetricPoint>& points) {
  if (!std::ranges::is_sorted(points)) std::ranges::sort(points);
  points.erase(std::ranges::unique(points).begin(), points.end());
}

}  // namespace yard::store

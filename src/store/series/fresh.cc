#include "store/series/fresh.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace yard::store {
namespace {

SeriesSummary SummaryOf(const std::string& name, const FreshSeries& series) {
  return {.name = name, .points = series.points.size(), .latest = series.latest};
}

FreshPart PointsIn(const Memtable* memtable, const SeriesKey& key) {
  FreshPart part;
  if (memtable == nullptr) return part;
  const FreshRun* run = memtable->FindRun(key.run);
  part.hides_blocks = run != nullptr && run->deleted;
  const FreshSeries* series = memtable->Find(key);
  if (series != nullptr) part.points = series->points;
  return part;
}

FreshPart RunIn(const Memtable* memtable, const RunKey& key) {
  FreshPart part;
  const FreshRun* run = memtable == nullptr ? nullptr : memtable->FindRun(key);
  if (run == nullptr) return part;
  part.hides_blocks = run->deleted;
  for (const auto& [name, series] : run->series) part.series.push_back(SummaryOf(name, series));
  return part;
}

FreshPart SummaryIn(const Memtable* memtable, const SeriesKey& key) {
  FreshPart part;
  const FreshRun* run = memtable == nullptr ? nullptr : memtable->FindRun(key.run);
  part.hides_blocks = run != nullptr && run->deleted;
  const FreshSeries* series = memtable == nullptr ? nullptr : memtable->Find(key);
  if (series != nullptr) part.series.push_back(SummaryOf(key.name, *series));
  return part;
}

}  // namespace

FreshPart FreshView::Over(std::int64_t flushed_log) const {
  if (flushed_log > sealed_log) return {};
  if (flushed_log == sealed_log || growing.hides_blocks) return growing;
  FreshPart both = sealed;
  both.points.insert(both.points.end(), growing.points.begin(), growing.points.end());
  both.series.insert(both.series.end(), growing.series.begin(), growing.series.end());
  return both;
}

void Fresh::Apply(std::vector<SeriesRecord> records) {
  MutexLock guard(mutex_);
  for (SeriesRecord& record : records) growing_->Apply(std::move(record));
}

std::size_t Fresh::growing_points() const {
  MutexLock guard(mutex_);
  return growing_->points();
}

bool Fresh::empty() const {
  MutexLock guard(mutex_);
  return growing_->empty();
}

bool Fresh::has_sealed() const {
  MutexLock guard(mutex_);
  return sealed_ != nullptr;
}

void Fresh::Seal(std::int64_t log_number) {
  MutexLock guard(mutex_);
  YARD_CHECK(sealed_ == nullptr);
  sealed_ = std::exchange(growing_, std::make_shared<Memtable>());
  sealed_log_ = log_number;
}

std::shared_ptr<const Memtable> Fresh::sealed() const {
  MutexLock guard(mutex_);
  return sealed_;
}

std::int64_t Fresh::sealed_log() const {
  MutexLock guard(mutex_);
  return sealed_log_;
}

void Fresh::DropSealed() {
  std::shared_ptr<const Memtable> dropped;  // freed without the lock
  MutexLock guard(mutex_);
  dropped = std::move(sealed_);
  sealed_ = nullptr;
}

FreshView Fresh::ViewPoints(const SeriesKey& key) const {
  MutexLock guard(mutex_);
  return {.sealed = PointsIn(sealed_.get(), key),
          .growing = PointsIn(growing_.get(), key),
          .sealed_log = sealed_log_};
}

FreshView Fresh::ViewRun(const RunKey& run) const {
  MutexLock guard(mutex_);
  return {.sealed = RunIn(sealed_.get(), run),
          .growing = RunIn(growing_.get(), run),
          .sealed_log = sealed_log_};
}

std::vector<RunKey> Fresh::Runs() const {
  MutexLock guard(mutex_);
  std::vector<RunKey> runs;
  for (const auto& [key, run] : growing_->runs()) runs.push_back(key);
  if (sealed_ == nullptr) return runs;
  for (const auto& [key, run] : sealed_->runs()) runs.push_back(key);
  return runs;
}

FreshView Fresh::ViewSummary(const SeriesKey& key) const {
  MutexLock guard(mutex_);
  return {.sealed = SummaryIn(sealed_.get(), key),
          .growing = SummaryIn(growing_.get(), key),
          .sealed_log = sealed_log_};
}

}  // namespace yard::store

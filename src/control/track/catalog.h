// All tracked things in memory, by kind and key, with what searches need beside them.
//
// Values are immutable and replaced as a whole. Slots live as long as the catalog: tracked runs and
// models are hidden, never taken away.
// Thread rule: reads from any thread; Apply from the thread that writes. A slot has a lock of its
// own, so that a search holds up nobody.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/metric.h"
#include "model/tracking.h"

namespace yard::control {

template <class T>
using Shared = std::shared_ptr<const T>;

std::string KeyOf(const Experiment& experiment);
std::string KeyOf(const TrackedRun& run);
std::string KeyOf(const RegisteredModel& model);
std::string KeyOf(const ModelVersion& version);
std::string KeyOf(const LoggedModel& model);
std::string KeyOf(const Report& report);
std::string KeyOf(const SavedView& view);
std::string ModelKey(ProjectId project, std::string_view name);
std::string VersionKey(ProjectId project, std::string_view name, std::int64_t version);

// Changed things by key; null: it goes.
template <class T>
using Changed = std::map<std::string, Shared<T>, std::less<>>;
using ChangedThings =
    std::tuple<Changed<Experiment>, Changed<TrackedRun>, Changed<RegisteredModel>,
               Changed<ModelVersion>, Changed<LoggedModel>, Changed<Report>, Changed<SavedView>>;

using LatestMetrics = std::map<std::string, MetricPoint>;

// A thing with metrics.
template <class T>
struct Slot {
  mutable std::mutex mutex;
  Shared<T> thing;       // guarded by mutex
  LatestMetrics latest;  // guarded by mutex

  Shared<T> Get() const {
    std::lock_guard guard(mutex);
    return thing;
  }
  LatestMetrics Latest() const {
    std::lock_guard guard(mutex);
    return latest;
  }
  // Whether these metrics fit beside those it has.
  bool HasRoomFor(std::span<const std::string> metrics, std::size_t most) const {
    std::lock_guard guard(mutex);
    std::size_t fresh = 0;
    for (const std::string& metric : metrics) fresh += latest.contains(metric) ? 0 : 1;
    return fresh == 0 || latest.size() + fresh <= most;
  }
  void Note(const std::string& metric, const MetricPoint& point) {
    std::lock_guard guard(mutex);
    auto [at, fresh] = latest.try_emplace(metric, point);
    if (!fresh && at->second < point) at->second = point;
  }
};
using RunSlot = Slot<TrackedRun>;
using ModelSlot = Slot<LoggedModel>;

class Catalog {
 public:
  // Null if there is none.
  template <class T>
  Shared<T> Find(std::string_view key) const;
  // Every one that `wanted` takes, in the order of their keys.
  template <class T, class Wanted>
  std::vector<Shared<T>> Select(Wanted wanted) const;
  Shared<Experiment> ExperimentNamed(ProjectId project, const std::string& name) const;

  RunSlot* FindRun(std::string_view id) const;
  ModelSlot* FindModel(std::string_view id) const;
  std::vector<RunSlot*> RunsOf(const std::string& experiment) const;
  std::vector<ModelSlot*> ModelsOf(const std::string& experiment) const;
  // A number that no experiment has.
  std::int64_t next_experiment() const;
  std::size_t runs() const;

  void Apply(const ChangedThings& changed);

 private:
  template <class T>
  struct Slots {
    std::unordered_map<std::string, std::unique_ptr<Slot<T>>> by_id;
    std::map<std::string, std::vector<Slot<T>*>> by_experiment;
    void Put(const Shared<T>& thing);
  };

  void Put(const Experiment& experiment);

  mutable std::shared_mutex mutex_;
  // Guarded by mutex_.
  std::tuple<std::map<std::string, Shared<Experiment>, std::less<>>,
             std::map<std::string, Shared<RegisteredModel>, std::less<>>,
             std::map<std::string, Shared<ModelVersion>, std::less<>>,
             std::map<std::string, Shared<Report>, std::less<>>,
             std::map<std::string, Shared<SavedView>, std::less<>>>
      things_;
  std::map<std::pair<ProjectId, std::string>, std::string> experiment_names_;
  std::int64_t next_experiment_ = 1;
  Slots<TrackedRun> runs_;
  Slots<LoggedModel> models_;
};

template <class T>
Shared<T> Catalog::Find(std::string_view key) const {
  if constexpr (std::is_same_v<T, TrackedRun>) {
    RunSlot* slot = FindRun(key);
    return slot == nullptr ? nullptr : slot->Get();
  } else if constexpr (std::is_same_v<T, LoggedModel>) {
    ModelSlot* slot = FindModel(key);
    return slot == nullptr ? nullptr : slot->Get();
  } else {
    std::shared_lock lock(mutex_);
    const auto& table = std::get<std::map<std::string, Shared<T>, std::less<>>>(things_);
    auto found = table.find(key);
    return found == table.end() ? nullptr : found->second;
  }
}

template <class T, class Wanted>
std::vector<Shared<T>> Catalog::Select(Wanted wanted) const {
  std::shared_lock lock(mutex_);
  std::vector<Shared<T>> chosen;
  for (const auto& [key, thing] :
       std::get<std::map<std::string, Shared<T>, std::less<>>>(things_)) {
    if (wanted(*thing)) chosen.push_back(thing);
  }
  return chosen;
}

}  // namespace yard::control

#include "control/track/catalog.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {

std::string KeyOf(const Experiment& experiment) {
  return experiment.id;
}
std::string KeyOf(const TrackedRun& run) {
  return run.id;
}
std::string KeyOf(const LoggedModel& model) {
  return model.id;
}
std::string KeyOf(const Report& report) {
  return report.id;
}
std::string KeyOf(const SavedView& view) {
  return view.id;
}
std::string KeyOf(const RegisteredModel& model) {
  return ModelKey(model.project, model.name);
}
std::string KeyOf(const ModelVersion& version) {
  return VersionKey(version.project, version.name, version.version);
}

std::string ModelKey(ProjectId project, std::string_view name) {
  return fmt::format("{}/{}", project.value, name);
}
std::string VersionKey(ProjectId project, std::string_view name, std::int64_t version) {
  return fmt::format("{}/{}/{}", project.value, name, version);
}

template <class T>
void Catalog::Slots<T>::Put(const Shared<T>& thing) {
  std::unique_ptr<Slot<T>>& slot = by_id[thing->id];
  if (!slot) {
    slot = std::make_unique<Slot<T>>();
    by_experiment[thing->experiment].push_back(slot.get());
  }
  std::lock_guard guard(slot->mutex);
  slot->thing = thing;
}

void Catalog::Put(const Experiment& experiment) {
  auto& table = std::get<0>(things_);
  auto before = table.find(experiment.id);
  if (before != table.end())
    experiment_names_.erase({before->second->project, before->second->name});
  experiment_names_[{experiment.project, experiment.name}] = experiment.id;
  std::optional<std::int64_t> number = ParseInt(experiment.id);
  if (number) next_experiment_ = std::max(next_experiment_, *number + 1);
}

void Catalog::Apply(const ChangedThings& changed) {
  std::unique_lock lock(mutex_);
  for (const auto& [key, run] : std::get<Changed<TrackedRun>>(changed)) runs_.Put(run);
  for (const auto& [key, model] : std::get<Changed<LoggedModel>>(changed)) models_.Put(model);
  auto replace = [&]<class T>(const Changed<T>& things) {
    auto& table = std::get<std::map<std::string, Shared<T>, std::less<>>>(things_);
    for (const auto& [key, thing] : things) {
      if constexpr (std::is_same_v<T, Experiment>) Put(*thing);
      if (thing) {
        table.insert_or_assign(key, thing);
      } else {
        table.erase(key);
      }
    }
  };
  replace(std::get<Changed<Experiment>>(changed));
  replace(std::get<Changed<RegisteredModel>>(changed));
  replace(std::get<Changed<ModelVersion>>(changed));
  replace(std::get<Changed<Report>>(changed));
  replace(std::get<Changed<SavedView>>(changed));
}

Shared<Experiment> Catalog::ExperimentNamed(ProjectId project, const std::string& name) const {
  std::shared_lock lock(mutex_);
  auto found = experiment_names_.find({project, name});
  return found == experiment_names_.end() ? nullptr
                                          : std::get<0>(things_).find(found->second)->second;
}

RunSlot* Catalog::FindRun(std::string_view id) const {
  std::shared_lock lock(mutex_);
  auto found = runs_.by_id.find(std::string(id));
  return found == runs_.by_id.end() ? nullptr : found->second.get();
}

ModelSlot* Catalog::FindModel(std::string_view id) const {
  std::shared_lock lock(mutex_);
  auto found = models_.by_id.find(std::string(id));
  return found == models_.by_id.end() ? nullptr : found->second.get();
}

std::vector<RunSlot*> Catalog::RunsOf(const std::string& experiment) const {
  std::shared_lock lock(mutex_);
  auto found = runs_.by_experiment.find(experiment);
  return found == runs_.by_experiment.end() ? std::vector<RunSlot*>{} : found->second;
}

std::vector<ModelSlot*> Catalog::ModelsOf(const std::string& experiment) const {
  std::shared_lock lock(mutex_);
  auto found = models_.by_experiment.find(experiment);
  return found == models_.by_experiment.end() ? std::vector<ModelSlot*>{} : found->second;
}

std::int64_t Catalog::next_experiment() const {
  std::shared_lock lock(mutex_);
  return next_experiment_;
}

std::size_t Catalog::runs() const {
  std::shared_lock lock(mutex_);
  return runs_.by_id.size();
}

}  // namespace yard::control

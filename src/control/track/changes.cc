#include "control/track/changes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {
namespace {

constexpr std::size_t kMostBytes = 4 * 1024 * 1024;

std::size_t BytesOf(const Tags& texts) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : texts) bytes += key.size() + value.size();
  return bytes;
}

std::size_t BytesOf(const TrackedRun& run) {
  std::size_t bytes = BytesOf(run.params) + BytesOf(run.tags);
  for (const DatasetInput& input : run.datasets) {
    bytes += input.name.size() + input.source.size() + input.schema.size() + input.profile.size() +
             BytesOf(input.tags);
  }
  for (const std::string& model : run.model_inputs) bytes += model.size();
  for (const ModelOutput& output : run.model_outputs) bytes += output.model.size();
  return bytes;
}

std::size_t BytesOf(const Experiment& experiment) {
  return BytesOf(experiment.tags);
}

std::size_t BytesOf(const RegisteredModel& model) {
  return BytesOf(model.tags) + BytesOf(model.aliases) + model.description.size();
}

std::size_t BytesOf(const ModelVersion& version) {
  return BytesOf(version.tags) + version.description.size();
}

std::size_t BytesOf(const LoggedModel& model) {
  return BytesOf(model.params) + BytesOf(model.tags);
}

std::size_t BytesOf(const Report& report) {
  return report.title.size() + report.text.size();
}

std::size_t BytesOf(const SavedView& view) {
  return view.name.size() + view.query.size();
}

// One that was larger before may still shrink, or be deleted.
template <class T>
Status CheckSize(const std::string& key, const T& now, const Shared<T>& earlier) {
  std::size_t bytes = BytesOf(now);
  if (bytes <= kMostBytes || (earlier && bytes <= BytesOf(*earlier))) return {};
  return Fail(Code::kInvalid,
              fmt::format("'{}' would hold {} bytes; {} are allowed beside its metrics", key, bytes,
                          kMostBytes),
              "log large texts as artifacts");
}

}  // namespace

template <class T>
Shared<T> TrackTxn::Earlier(const std::string& key) const {
  const auto& changed = std::get<Changed<T>>(before_);
  if (auto found = changed.find(key); found != changed.end()) return found->second;
  return catalog_.Find<T>(key);
}

Status TrackTxn::CheckSizes() const {
  Status status;
  auto check = [&]<class T>(const Changed<T>& changed) {
    for (const auto& [key, thing] : changed) {
      if (status && thing) status = CheckSize<T>(key, *thing, Earlier<T>(key));
    }
  };
  std::apply([&](const auto&... changed) { (check(changed), ...); }, own_);
  return status;
}

Shared<Experiment> TrackTxn::ExperimentNamed(ProjectId project, const std::string& name) const {
  for (const ChangedThings* layer : {&own_, &before_}) {
    for (const auto& [key, experiment] : std::get<Changed<Experiment>>(*layer)) {
      if (experiment->project == project && experiment->name == name) return experiment;
    }
  }
  Shared<Experiment> found = catalog_.ExperimentNamed(project, name);
  // It may have another name by now.
  Shared<Experiment> now = found ? Find<Experiment>(found->id) : nullptr;
  return now && now->name == name ? now : nullptr;
}

std::string TrackTxn::NextExperimentId() const {
  std::int64_t next = catalog_.next_experiment();
  for (const ChangedThings* layer : {&own_, &before_}) {
    for (const auto& [key, experiment] : std::get<Changed<Experiment>>(*layer)) {
      next = std::max(next, ParseInt(key).value_or(0) + 1);
    }
  }
  return std::to_string(next);
}

std::string TrackTxn::NewId() {
  std::array<std::uint8_t, 16> bytes{};
  random_.Fill(bytes);
  std::string id;
  for (std::uint8_t byte : bytes) id += fmt::format("{:02x}", byte);
  return id;
}

void Merge(ChangedThings& all, ChangedThings later) {
  std::apply(
      [&](auto&... changed) {
        (
            [&] {
              for (auto& [key, thing] : changed) {
                std::get<std::remove_reference_t<decltype(changed)>>(all)[key] = std::move(thing);
              }
            }(),
            ...);
      },
      later);
}

}  // namespace yard::control

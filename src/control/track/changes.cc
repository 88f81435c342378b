#include "control/track/changes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {

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

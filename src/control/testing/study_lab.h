// A study whose orders are carried out at once, for tests of its engine.
#pragma once

#include <cmath>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "control/study/engine.h"
#include "wire/study.h"

namespace yard::control {

inline constexpr Time kStart{1'780'000'000'000'000};

Study StudyOf(std::string_view spec);  // as JSON

// Carries orders out at once, and lets trials end with a value of their parameters.
class StudyLab {
 public:
  explicit StudyLab(std::string_view spec) : engine_(*StudyEngine::Make(StudyOf(spec), {})) {}

  StudyOrders Step() {
    StudyOrders orders = engine_.Step(
        now_, [this] { return WorkloadId{Uuid{{static_cast<std::uint8_t>(++ids_)}}}; });
    for (std::size_t trial : orders.submit) engine_.Submitted(trial);
    return orders;
  }
  void Reports(std::size_t trial, std::int64_t step, double loss) {
    engine_.TakeLog(trial, {.attempt = 1, .offset = 1, .reports = {{step, {loss}}}});
  }
  void End(std::size_t trial, WorkEnd::How how = WorkEnd::How::kCompleted) {
    engine_.Ended(
        trial,
        {.how = how, .message = "It said so.", .gpu_time = GpuTime(3'600'000'000'000), .at = now_});
  }
  double LossOf(std::size_t trial) const {
    const std::vector<double>& values = engine_.trials()[trial].values;
    return std::abs(values[0] - 0.3) + (values.size() > 1 ? values[1] : 0);
  }
  // Everything that runs ends with its loss.
  void EndAll() {
    std::set<std::size_t> running = engine_.running();
    for (std::size_t trial : running) {
      Reports(trial, 0, LossOf(trial));
      End(trial);
    }
  }
  // As after a crash: from the records alone.
  void Restart() {
    Study study = *wire::DecodeStudy(wire::EncodeStudy(engine_.study()));
    std::vector<StudyTrial> trials;
    for (const StudyTrial& trial : engine_.trials()) {
      trials.push_back(*wire::DecodeTrial(wire::EncodeTrial(trial)));
    }
    engine_ = *StudyEngine::Make(std::move(study), std::move(trials));
  }

  StudyEngine& engine() { return engine_; }
  const StudyEngine& engine() const { return engine_; }
  const StudyTrial& trial(std::size_t index) const { return engine_.trials()[index]; }
  StudyState state() const { return engine_.study().state; }
  void Advance(Micros by) { now_ = now_ + by; }
  Time now() const { return now_; }

 private:
  StudyEngine engine_;
  Time now_ = kStart;
  int ids_ = 0;
};

}  // namespace yard::control

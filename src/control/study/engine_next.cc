// Which trial begins next: those that take the place of stopped ones (population based training,
// promotion at rungs), and else the suggestions of the search while the budget lasts.
//
// The decision to stop is stored with the stopped trial. Its successor begins once it has ended, so
// that it finds the place free, and after a restart as well.
#include <algorithm>

#include <fmt/format.h>

#include "control/study/convert.h"
#include "control/study/engine.h"

namespace yard::control {
namespace {

constexpr double kGpuTimePerHour = 3600.0 * 1e6 * 1e3;

}  // namespace

void StudyEngine::Judge(std::size_t index) {
  if (!pruner_ || !trials_[index].stop_reason.empty() || trials_[index].reports.empty()) return;
  tune::Verdict verdict = pruner_->Judge(curves_, index);
  if (verdict.advice == tune::Advice::kContinue) return;
  // Without room for a successor it is better to go on.
  if (verdict.successor_from && trials_.size() >= limits_.trials) return;
  StudyTrial& trial = Change(index);
  trial.stop_reason = verdict.reason.empty() ? "Stopped early." : verdict.reason;
  if (verdict.successor_from) trial.successor_from = verdict.successor_from->value;
}

void StudyEngine::JoinCurve(std::size_t index) {
  const StudyTrial& trial = trials_[index];
  if (!trial.continues || trial.continues != trial.resumes_from) return;
  std::vector<tune::Report> own = std::move(curves_[index].reports);
  std::vector<tune::Report>& paused = curves_[static_cast<std::size_t>(*trial.continues)].reports;
  curves_[index].reports = std::exchange(paused, {});
  for (const tune::Report& report : own) tune::AddReport(curves_[index].reports, report);
}

std::vector<std::size_t> StudyEngine::Promotions() const {
  std::vector<std::size_t> paused;
  if (!pruner_) return paused;
  for (tune::TrialNumber number : pruner_->Promotions(curves_)) {
    paused.push_back(static_cast<std::size_t>(number.value));
  }
  return paused;
}

bool StudyEngine::SuccessorWaits() const {
  return trials_.size() < limits_.trials && (!awaited_.empty() || !Promotions().empty());
}

std::optional<std::size_t> StudyEngine::BeginSuccessor(Time now) {
  if (trials_.size() >= limits_.trials) return std::nullopt;
  if (!awaited_.empty()) {
    const std::size_t stopped = *awaited_.begin();
    const auto source = static_cast<std::size_t>(trials_[stopped].successor_from.value_or(0));
    const auto successor = Succeed({.stopped = stopped, .source = source}, now);
    if (successor) awaited_.erase(stopped);
    return successor;
  }
  const std::vector<std::size_t> paused = Promotions();
  if (paused.empty()) return std::nullopt;
  return Succeed({.stopped = paused.front(), .source = paused.front()}, now);
}

// What cannot begin pauses the study: people read why, and nothing is lost.
std::optional<std::size_t> StudyEngine::Succeed(Handover handover, Time now) {
  tune::Configuration next = search_->trials()[handover.source].configuration;
  if (handover.source != handover.stopped) {
    tune::Rng rng(study_.seed, trials_.size());
    next = tune::ExplorePbt(search_->space(), PbtOf(study_.spec), next, rng);
  }
  Result<tune::TrialNumber> number = search_->Begin(next, tune::Origin::kPbt);
  if (!number) {
    Move(StudyState::kPaused,
         fmt::format("A successor of trial {} cannot begin: {}", trials_[handover.stopped].number,
                     number.error().message),
         now);
    return std::nullopt;
  }
  const auto index = static_cast<std::size_t>(number->value);
  Record(search_->trials()[index], now, handover);
  JoinCurve(index);
  return index;
}

void StudyEngine::TakeResultOfSource(StudyTrial& trial) const {
  auto said = [](const ReportedValue& value) { return value.last.has_value(); };
  if (!trial.resumes_from || std::ranges::any_of(trial.reported, said)) return;
  trial.reported = trials_[static_cast<std::size_t>(*trial.resumes_from)].reported;
  trial.message = fmt::format("It had nothing left to do: the result is that of trial {}.",
                              *trial.resumes_from);
}

std::optional<std::size_t> StudyEngine::BeginNext(Time now) {
  if (std::optional<std::size_t> successor = BeginSuccessor(now)) return successor;
  if (study_.state != StudyState::kRunning || Spent(now)) return std::nullopt;
  return Record(search_->Ask(), now);
}

std::optional<std::string> StudyEngine::Spent(Time now) const {
  const StudyBudget& budget = study_.budget;
  if (trials_.size() >= limits_.trials)
    return fmt::format("It has {} trials, the most that a study may have.", limits_.trials);
  if (budget.trials) {
    const bool room = search_->NextIsRepeat() || configurations_ < *budget.trials;
    const std::int64_t runs = static_cast<std::int64_t>(trials_.size()) - extra_;
    if (!room || runs >= *budget.trials * study_.spec.repeats) {
      return fmt::format("{} configurations were tried, as the budget says.", configurations_);
    }
  }
  if (budget.seconds && now >= study_.stamp.created_at + Seconds(*budget.seconds)) {
    return fmt::format("Its time of {} seconds is over.", *budget.seconds);
  }
  if (budget.gpu_hours &&
      static_cast<double>(gpu_time_.value) >= *budget.gpu_hours * kGpuTimePerHour) {
    return fmt::format("Its {} GPU hours are used.", *budget.gpu_hours);
  }
  return std::nullopt;
}

void StudyEngine::Begin(Time now, const NewWorkloadId& new_id) {
  const auto most = static_cast<std::size_t>(study_.spec.concurrency);
  while (study_.state == StudyState::kRunning && running_.size() < most) {
    std::optional<std::size_t> next = BeginNext(now);
    if (!next) return;
    trials_[*next].workload = new_id();
  }
}

}  // namespace yard::control

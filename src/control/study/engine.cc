#include "control/study/engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "control/study/convert.h"

namespace yard::control {
namespace {

constexpr Micros kRetryAfter = Seconds(1);

double LossSign(const Study& study) {
  return study.spec.objectives.front().aim == Aim::kMinimize ? 1 : -1;
}

// It has ended, and not by having done all its work.
bool HasMadeRoom(const StudyTrial& trial) {
  return trial.phase == TrialPhase::kPruned || trial.phase == TrialPhase::kFailed;
}

bool IsBetter(Aim aim, double a, double b) {
  return aim == Aim::kMinimize ? a < b : a > b;
}

bool MayPass(const Error& error) {
  return error.code == Code::kUnavailable || error.code == Code::kTooMany;
}

std::size_t IndexOf(tune::TrialNumber number) {
  return static_cast<std::size_t>(number.value);
}

tune::TrialNumber NumberOf(std::size_t trial) {
  return tune::TrialNumber(static_cast<std::int64_t>(trial));
}

}  // namespace

StudyEngine::StudyEngine(Study study, std::vector<StudyTrial> trials, tune::Study search,
                         const StudyLimits& limits)
    : limits_(limits),
      study_(std::move(study)),
      trials_(std::move(trials)),
      search_(std::make_unique<tune::Study>(std::move(search))),
      pruner_(PrunerOf(study_)),
      curves_(tune::CurvesOf(search_->trials(), LossSign(study_))) {
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    if (trials_[i].phase == TrialPhase::kRunning) running_.insert(i);
    const bool extra = IsExtra(trials_[i]);
    extra_ += extra ? 1 : 0;
    if (!trials_[i].repeat_of && !extra) ++configurations_;
    if (trials_[i].successor_from && HasMadeRoom(trials_[i])) awaited_.insert(i);
    if (trials_[i].continues) awaited_.erase(static_cast<std::size_t>(*trials_[i].continues));
    gpu_time_ += trials_[i].gpu_time;
    reports_ += trials_[i].reports.size();
    JoinCurve(i);
  }
}

Result<StudyEngine> StudyEngine::Make(Study study, std::vector<StudyTrial> trials,
                                      const StudyLimits& limits) {
  YARD_ASSIGN(tune::Study search, RestoreStudy(study, trials));
  return StudyEngine(std::move(study), std::move(trials), std::move(search), limits);
}

StudyTrial& StudyEngine::Change(std::size_t trial) {
  changed_.insert(trial);
  return trials_[trial];
}

void StudyEngine::Move(StudyState state, std::string message, Time now) {
  study_.state = state;
  study_.message = std::move(message);
  study_.stamp.updated_at = now;
  const bool ended = state == StudyState::kCompleted || state == StudyState::kStopped;
  study_.ended_at = ended ? std::optional<Time>(now) : std::nullopt;
  study_changed_ = true;
}

Result<std::size_t> StudyEngine::Running(std::int64_t number) const {
  if (number < 0 || static_cast<std::size_t>(number) >= trials_.size()) {
    return Fail(Code::kNotFound, fmt::format("study '{}' has no trial {}", study_.name, number));
  }
  if (trials_[static_cast<std::size_t>(number)].phase == TrialPhase::kRunning) {
    return static_cast<std::size_t>(number);
  }
  return Fail(Code::kPrecondition,
              fmt::format("trial {} of study '{}' has ended", number, study_.name),
              "what comes after the end of a trial does not count");
}

Status StudyEngine::Pause(Time now) {
  if (study_.state == StudyState::kPaused) return {};
  if (study_.state != StudyState::kRunning) {
    return Fail(Code::kPrecondition, fmt::format("study '{}' has ended", study_.name));
  }
  Move(StudyState::kPaused, "Paused on request; trials that run go on.", now);
  return {};
}

Status StudyEngine::Resume(Time now) {
  if (study_.state == StudyState::kRunning) return {};
  if (study_.state == StudyState::kCompleted) {
    return Fail(Code::kPrecondition, fmt::format("study '{}' has spent its budget", study_.name),
                "extend the budget instead");
  }
  study_.failures = 0;
  retry_at_.reset();
  Move(StudyState::kRunning, "", now);
  return {};
}

Status StudyEngine::Stop(std::string_view by, Time now) {
  if (study_.state == StudyState::kStopped) return {};
  Move(StudyState::kStopped, fmt::format("Stopped by {}.", by), now);
  return {};
}

Status StudyEngine::Extend(const StudyBudget& budget, Time now) {
  Study longer = study_;
  auto raise = [](auto& have, const auto& wanted) {
    if (wanted) have = wanted;
  };
  raise(longer.budget.trials, budget.trials);
  raise(longer.budget.seconds, budget.seconds);
  raise(longer.budget.gpu_hours, budget.gpu_hours);
  // The search knows the budget, so it is made anew from the records.
  YARD_ASSIGN(tune::Study search, RestoreStudy(longer, trials_));
  search_ = std::make_unique<tune::Study>(std::move(search));
  study_ = std::move(longer);
  const bool goes_on = study_.state == StudyState::kCompleted;
  Move(goes_on ? StudyState::kRunning : study_.state, goes_on ? "" : study_.message, now);
  return {};
}

std::size_t StudyEngine::Record(const tune::Trial& made, Time now,
                                std::optional<Handover> handover) {
  StudyTrial trial = FromTune(made, study_.spec.objectives.size());
  trial.created_at = now;
  if (handover) {
    trial.continues = static_cast<std::int64_t>(handover->stopped);
    trial.resumes_from = static_cast<std::int64_t>(handover->source);
  }
  const bool extra = IsExtra(trial);
  extra_ += extra ? 1 : 0;
  if (!trial.repeat_of && !extra) ++configurations_;
  curves_.push_back({.trial = made.number, .state = tune::TrialState::kRunning, .reports = {}});
  trials_.push_back(std::move(trial));
  running_.insert(trials_.size() - 1);
  changed_.insert(trials_.size() - 1);
  return trials_.size() - 1;
}

Result<std::int64_t> StudyEngine::Ask(Time now) {
  if (study_.spec.workload) {
    return Fail(
        Code::kPrecondition,
        fmt::format("the trials of study '{}' are workloads that it submits itself", study_.name),
        "send parameters to add a trial by hand");
  }
  if (study_.state != StudyState::kRunning) {
    return Fail(Code::kPrecondition, fmt::format("study '{}' does not run", study_.name),
                "resume or extend it");
  }
  if (std::optional<std::size_t> successor = BeginSuccessor(now)) {
    return static_cast<std::int64_t>(*successor);
  }
  if (study_.state != StudyState::kRunning) {
    return Fail(Code::kPrecondition, study_.message, "stop the study, and begin another");
  }
  if (std::optional<std::string> spent = Spent(now)) {
    return Fail(Code::kPrecondition, fmt::format("study '{}' is over: {}", study_.name, *spent),
                "extend its budget");
  }
  return static_cast<std::int64_t>(Record(search_->Ask(), now));
}

Result<std::int64_t> StudyEngine::Add(const std::vector<double>& values,
                                      const std::optional<TrialOutcome>& outcome, Time now) {
  const std::size_t objectives = study_.spec.objectives.size();
  if (outcome && outcome->results.size() != objectives) {
    return Fail(Code::kInvalid, fmt::format("values has {} numbers; the study has {} objectives",
                                            outcome->results.size(), objectives));
  }
  if (trials_.size() >= limits_.trials) {
    return Fail(
        Code::kPrecondition,
        fmt::format("study '{}' has {} trials, the most it may have", study_.name, limits_.trials),
        "begin another study");
  }
  YARD_ASSIGN(tune::TrialNumber number, search_->Begin(ConfigurationOf(values)));
  std::size_t trial = Record(search_->trials()[IndexOf(number)], now);
  if (outcome) Finish(trial, *outcome, now);
  return static_cast<std::int64_t>(trial);
}

Status StudyEngine::Give(const std::vector<double>& values, const std::vector<double>& results,
                         Time now) {
  if (trials_.size() >= limits_.trials) return {};
  YARD_ASSIGN(tune::TrialNumber number,
              search_->Begin(ConfigurationOf(values), tune::Origin::kEarlier));
  const std::size_t trial = Record(search_->trials()[IndexOf(number)], now);
  Finish(trial, {.phase = TrialPhase::kComplete, .results = results, .message = {}}, now);
  return {};
}

void StudyEngine::Note(std::size_t index, const TrialValues& values) {
  StudyTrial& trial = Change(index);
  for (std::size_t i = 0; i < trial.reported.size() && i < values.values.size(); ++i) {
    if (!values.values[i]) continue;
    const double value = *values.values[i];
    ReportedValue& reported = trial.reported[i];
    reported.last = value;
    const Aim aim = study_.spec.objectives[i].aim;
    if (!std::isnan(value) && (!reported.best || IsBetter(aim, value, *reported.best))) {
      reported.best = value;
    }
  }
  const bool full =
      trial.reports.size() >= limits_.reports_of_a_trial || reports_ >= limits_.reports;
  if (values.values.empty() || !values.values[0] || full) return;
  // Beyond the last step that there is, nothing follows.
  constexpr std::int64_t kLastStep = std::numeric_limits<std::int64_t>::max();
  const std::int64_t last = trial.reports.empty() ? -1 : trial.reports.back().step;
  const std::int64_t next = last == kLastStep ? last : last + 1;
  const std::int64_t step = values.step.value_or(next);
  // A step that was reported keeps its value; so does what a retried run says once more.
  if (!search_->Report(NumberOf(index), step, *values.values[0])) return;
  auto at = std::ranges::lower_bound(trial.reports, step, {}, &TrialReport::step);
  trial.reports.insert(at, {step, *values.values[0]});
  ++reports_;
  AddReport(curves_[index].reports, {step, LossSign(study_) * *values.values[0]});
}

Status StudyEngine::Report(std::int64_t number, const TrialValues& values) {
  YARD_ASSIGN(std::size_t index, Running(number));
  const StudyTrial& trial = trials_[index];
  if (values.step && !values.values.empty() && values.values[0] &&
      std::ranges::binary_search(trial.reports, *values.step, {}, &TrialReport::step)) {
    return Fail(Code::kConflict,
                fmt::format("trial {} has reported step {} before", number, *values.step),
                "report every step once");
  }
  Note(index, values);
  Judge(index);
  return {};
}

Result<std::vector<double>> StudyEngine::ResultsOf(const StudyTrial& trial) const {
  std::vector<double> results;
  for (std::size_t i = 0; i < study_.spec.objectives.size(); ++i) {
    const StudyObjective& objective = study_.spec.objectives[i];
    const ReportedValue& reported = trial.reported[i];
    const bool best = objective.result == ResultRule::kBest;
    const std::optional<double>& value = best ? reported.best : reported.last;
    if (!value && !reported.last) {
      return Fail(Code::kPrecondition,
                  fmt::format("It ended without a report of '{}'.", objective.metric));
    }
    if (!value || !std::isfinite(*value)) {
      return Fail(Code::kPrecondition,
                  fmt::format("It reported {} as '{}'.", *reported.last, objective.metric));
    }
    results.push_back(*value);
  }
  return results;
}

Status StudyEngine::Tell(std::int64_t number, const TrialOutcome& outcome, Time now) {
  YARD_ASSIGN(std::size_t index, Running(number));
  if (trials_[index].workload) {
    return Fail(Code::kPrecondition, fmt::format("trial {} ends with its workload", number),
                "report its values; cancel the workload to end it");
  }
  const std::size_t objectives = study_.spec.objectives.size();
  if (!outcome.results.empty() && outcome.results.size() != objectives) {
    return Fail(Code::kInvalid, fmt::format("values has {} numbers; the study has {} objectives",
                                            outcome.results.size(), objectives));
  }
  Finish(index, outcome, now);
  return {};
}

void StudyEngine::Finish(std::size_t index, const TrialOutcome& outcome, Time at) {
  StudyTrial& trial = Change(index);
  trial.phase = outcome.phase;
  trial.message = outcome.message;
  trial.ended_at = at;
  if (outcome.phase == TrialPhase::kComplete) {
    if (outcome.results.empty()) TakeResultOfSource(trial);
    Result<std::vector<double>> results =
        outcome.results.empty() ? ResultsOf(trial) : Result<std::vector<double>>(outcome.results);
    const bool finite =
        results && std::ranges::all_of(*results, [](double value) { return std::isfinite(value); });
    if (finite) {
      trial.results = *std::move(results);
    } else {
      trial.phase = TrialPhase::kFailed;
      trial.message = results ? "Its result is not a number." : results.error().message;
    }
  }
  tune::TrialState state = ToTune(trial).state;
  if (Status told = search_->Tell(NumberOf(index), {.state = state, .values = trial.results});
      told) {
    trial.finished = search_->trials()[index].finished;
  }
  curves_[index].state = state;
  if (trial.successor_from && HasMadeRoom(trial)) awaited_.insert(index);
  running_.erase(index);
  cancelling_.erase(index);
  gpu_time_ += trial.gpu_time;
  CountFailures(trial, at);
}

void StudyEngine::CountFailures(const StudyTrial& trial, Time now) {
  const bool failed = trial.phase == TrialPhase::kFailed;
  if (failed || study_.failures > 0) study_changed_ = true;
  study_.failures = failed ? study_.failures + 1 : 0;
  if (study_.failures < study_.spec.max_failures || study_.state != StudyState::kRunning) return;
  Move(StudyState::kPaused,
       fmt::format("The last {} trials failed; trial {}: {} Resume it once the cause is gone.",
                   study_.failures, trial.number, trial.message),
       now);
}

void StudyEngine::Submitted(std::size_t trial) {
  submitting_.erase(trial);
  if (running_.contains(trial)) Change(trial).submitted = true;
}

void StudyEngine::Refused(std::size_t trial, const Error& error, Time now) {
  submitting_.erase(trial);
  if (!running_.contains(trial)) return;
  if (MayPass(error)) {
    retry_at_ = now + kRetryAfter;
    return;
  }
  if (study_.state != StudyState::kRunning) return;
  Move(StudyState::kPaused,
       fmt::format("Trial {} could not be submitted: {}{}{}", trials_[trial].number, error.message,
                   error.details.empty() ? "" : "; ", error.details),
       now);
}

void StudyEngine::TakeLog(std::size_t index, const LogNews& news) {
  if (!running_.contains(index)) return;
  StudyTrial& trial = Change(index);
  trial.attempt = news.attempt;
  trial.log_offset = news.offset;
  TakeReports(index, news.reports);
}

void StudyEngine::TakeReports(std::size_t index, const std::vector<TrialValues>& reports) {
  if (!running_.contains(index)) return;
  // One by one: a pruner may look at certain steps only.
  for (const TrialValues& values : reports) {
    Note(index, values);
    Judge(index);
  }
}

void StudyEngine::Ended(std::size_t index, const WorkEnd& end) {
  if (!running_.contains(index)) return;
  submitting_.erase(index);
  Change(index).gpu_time = end.gpu_time;
  TrialOutcome outcome{.phase = TrialPhase::kFailed, .results = {}, .message = end.message};
  const bool pruned = !trials_[index].stop_reason.empty();
  if (end.how == WorkEnd::How::kCompleted) outcome = {.phase = TrialPhase::kComplete};
  if (end.how == WorkEnd::How::kCancelled && pruned) {
    outcome = {.phase = TrialPhase::kPruned, .results = {}, .message = trials_[index].stop_reason};
  }
  Finish(index, outcome, end.at);
}

void StudyEngine::OrderOne(std::size_t index, StudyOrders& orders, Time now,
                           const NewWorkloadId& new_id) {
  StudyTrial& trial = trials_[index];
  const bool stopped = study_.state == StudyState::kStopped;
  if (!trial.submitted && stopped && !submitting_.contains(index)) {
    const bool unknown = trial.workload.has_value();
    // It may have been made before a crash: the order finds it or refuses, and it is ended.
    Finish(index,
           {.phase = TrialPhase::kFailed, .results = {}, .message = "The study was stopped."}, now);
    if (unknown) orders.cancel.push_back(index);
    return;
  }
  if (!trial.submitted && study_.state == StudyState::kRunning) {
    if (!trial.workload) Change(index).workload = new_id();
    if (submitting_.insert(index).second) orders.submit.push_back(index);
  }
  const bool unwanted = stopped || !trial.stop_reason.empty();
  if (trial.submitted && unwanted && cancelling_.insert(index).second) {
    orders.cancel.push_back(index);
  }
}

void StudyEngine::OrderWork(StudyOrders& orders, Time now, const NewWorkloadId& new_id) {
  if (!study_.spec.workload) {
    if (study_.state != StudyState::kStopped) return;
    while (!running_.empty()) {
      Finish(*running_.begin(),
             {.phase = TrialPhase::kFailed, .results = {}, .message = "The study was stopped."},
             now);
    }
    return;
  }
  if (retry_at_ && now < *retry_at_) {
    orders.wake = retry_at_;
    return;
  }
  retry_at_.reset();
  const std::vector<std::size_t> running(running_.begin(), running_.end());
  for (std::size_t index : running) OrderOne(index, orders, now, new_id);
}

void StudyEngine::CompleteIfSpent(Time now) {
  if (study_.state != StudyState::kRunning || !running_.empty() || SuccessorWaits()) {
    return;
  }
  if (std::optional<std::string> spent = Spent(now)) Move(StudyState::kCompleted, *spent, now);
}

StudyOrders StudyEngine::Step(Time now, const NewWorkloadId& new_id) {
  StudyOrders orders;
  if (study_.spec.workload) Begin(now, new_id);
  OrderWork(orders, now, new_id);
  CompleteIfSpent(now);
  if (study_.budget.seconds && study_.state == StudyState::kRunning) {
    const Time over = study_.stamp.created_at + Seconds(*study_.budget.seconds);
    if (now < over && (!orders.wake || over < *orders.wake)) orders.wake = over;
  }
  orders.study_changed = std::exchange(study_changed_, false);
  orders.changed.assign(changed_.begin(), changed_.end());
  changed_.clear();
  return orders;
}

}  // namespace yard::control

// One study as a function: what happened to its trials in, what is to be done out.
//
// It starts nothing, reads no clock and keeps no thread: `Step` answers with orders, and
// control/study/studies.h carries them out once the changed records are on disk. What it computes
// follows from the records alone, so that an engine made anew from them goes on alike.
//
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/study.h"
#include "tune/pruners/pruner.h"
#include "tune/study.h"

namespace yard::control {

// One report of a trial: values by objective, none where it says nothing of it.
struct TrialValues {
  std::optional<std::int64_t> step = {};
  std::vector<std::optional<double>> values = {};
};

// How the workload of a trial ended.
struct WorkEnd {
  enum class How { kCompleted, kFailed, kCancelled, kGone };
  How how = How::kCompleted;
  std::string message = {};
  GpuTime gpu_time = {};
  Time at;
};

// How a program says its trial ended.
struct TrialOutcome {
  TrialPhase phase = TrialPhase::kComplete;
  std::vector<double> results = {};  // empty: as reported
  std::string message = {};
};

// What the log of a trial says beyond what was read before.
struct LogNews {
  std::int32_t attempt = 0;
  std::int64_t offset = 0;
  std::vector<TrialValues> reports = {};
};

struct StudyOrders {
  bool study_changed = false;
  std::vector<std::size_t> changed = {};  // trials whose records must be written first
  std::vector<std::size_t> submit = {};   // trials whose workloads are to be made
  std::vector<std::size_t> cancel = {};   // trials whose workloads are to be ended
  std::optional<Time> wake = {};          // step again then, if nothing happens before
};

using NewWorkloadId = std::function<WorkloadId()>;

// What a study may hold; all of it is in memory.
struct StudyLimits {
  std::size_t trials = 100'000;
  std::size_t reports_of_a_trial = 5000;  // those beyond count as last and best values alone
  std::size_t reports = 2'000'000;        // the same, of all trials
};

// Which trial's place a new one takes, and from whose checkpoint it starts.
struct Handover {
  std::size_t stopped = 0;
  std::size_t source = 0;
};

class StudyEngine {
 public:
  static Result<StudyEngine> Make(Study study, std::vector<StudyTrial> trials,
                                  const StudyLimits& limits = {});

  const Study& study() const { return study_; }
  const std::vector<StudyTrial>& trials() const { return trials_; }
  const std::set<std::size_t>& running() const { return running_; }

  // Orders of people and programs; one that is refused changes nothing.
  Status Pause(Time now);
  Status Resume(Time now);
  Status Stop(std::string_view by, Time now);
  // Raises what is given, and lets a study go on that had spent its budget.
  Status Extend(const StudyBudget& budget, Time now);
  // The next trial, for a program that runs it itself.
  Result<std::int64_t> Ask(Time now);
  // A trial by hand: `values` by parameter; with an outcome it has been run elsewhere.
  Result<std::int64_t> Add(const std::vector<double>& values,
                           const std::optional<TrialOutcome>& outcome, Time now);
  // A result of an earlier study, which is no part of the budget.
  Status Give(const std::vector<double>& values, const std::vector<double>& results, Time now);
  Status Report(std::int64_t number, const TrialValues& values);
  Status Tell(std::int64_t number, const TrialOutcome& outcome, Time now);

  // News of workloads; about a trial that has ended they change nothing.
  void Submitted(std::size_t trial);
  void Refused(std::size_t trial, const Error& error, Time now);
  void TakeLog(std::size_t trial, const LogNews& news);
  void TakeReports(std::size_t trial, const std::vector<TrialValues>& reports);
  void Ended(std::size_t trial, const WorkEnd& end);
  // Orders to cancel may have got lost: what is unwanted and still runs is cancelled once more.
  void CancelAgain() { cancelling_.clear(); }

  StudyOrders Step(Time now, const NewWorkloadId& new_id);

 private:
  StudyEngine(Study study, std::vector<StudyTrial> trials, tune::Study search,
              const StudyLimits& limits);

  Result<std::size_t> Running(std::int64_t number) const;
  StudyTrial& Change(std::size_t trial);
  void Move(StudyState state, std::string message, Time now);
  // Why no further configuration may begin; nothing if one may.
  std::optional<std::string> Spent(Time now) const;
  std::size_t Record(const tune::Trial& made, Time now, std::optional<Handover> handover = {});
  void Note(std::size_t trial, const TrialValues& values);
  void Judge(std::size_t trial);
  // A trial that was promoted goes on with the curve of the paused one.
  void JoinCurve(std::size_t trial);
  std::vector<std::size_t> Promotions() const;
  bool SuccessorWaits() const;
  std::optional<std::size_t> BeginSuccessor(Time now);
  std::optional<std::size_t> Succeed(Handover handover, Time now);
  // The next trial: a successor before a suggestion. Nothing if none may begin.
  std::optional<std::size_t> BeginNext(Time now);
  // A successor that has nothing left to do is as good as the trial whose checkpoint it has.
  void TakeResultOfSource(StudyTrial& trial) const;
  Result<std::vector<double>> ResultsOf(const StudyTrial& trial) const;
  void Finish(std::size_t trial, const TrialOutcome& outcome, Time at);
  void CountFailures(const StudyTrial& trial, Time now);
  void Begin(Time now, const NewWorkloadId& new_id);
  void OrderWork(StudyOrders& orders, Time now, const NewWorkloadId& new_id);
  void OrderOne(std::size_t trial, StudyOrders& orders, Time now, const NewWorkloadId& new_id);
  void CompleteIfSpent(Time now);

  StudyLimits limits_;

  Study study_;
  std::vector<StudyTrial> trials_;
  std::unique_ptr<tune::Study> search_;
  std::unique_ptr<tune::Pruner> pruner_;
  std::vector<tune::Curve> curves_;  // of the first objective, as losses
  std::set<std::size_t> running_;
  std::set<std::size_t> submitting_;  // orders that were given and not answered
  std::set<std::size_t> cancelling_;
  std::set<std::size_t> awaited_;  // stopped trials whose successors have not begun
  // Successors and results of earlier studies are no part of the budget.
  std::int64_t configurations_ = 0;
  std::int64_t extra_ = 0;
  std::size_t reports_ = 0;
  GpuTime gpu_time_;
  std::optional<Time> retry_at_;

  std::set<std::size_t> changed_;
  bool study_changed_ = false;
};

}  // namespace yard::control

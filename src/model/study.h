// A study: a search for the best parameters, whose trials are workloads.
//
// Plain values. The spec never changes; the budget may be extended. A trial holds everything that
// its study needs of it, so that its workload may go once it has ended. The study, its seed and
// its trials are the whole state of the search: the next suggestion follows from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "model/access.h"
#include "model/attempt.h"
#include "model/common.h"
#include "model/ids.h"

namespace yard {

using StudyId = StrongId<struct StudyTag, Uuid>;

enum class ParameterKind { kFloat, kInt, kCategorical, kOrdinal, kConstant };
enum class ParameterScale { kLinear, kLog };

// One value of a list, as people read it; `json` is the same as it was sent.
struct ParameterChoice {
  std::string text;
  std::string json;
};

// The parameter exists only where the parent has one of these values.
struct ParameterCondition {
  std::string parent;
  std::vector<std::string> values;
};

struct StudyParameter {
  std::string name;
  ParameterKind kind = ParameterKind::kFloat;
  double low = 0;
  double high = 1;
  std::optional<double> step;
  ParameterScale scale = ParameterScale::kLinear;
  std::vector<ParameterChoice> choices;  // of a constant: its value
  std::optional<ParameterCondition> when;
};

struct DerivedParameter {
  std::string name;
  std::string expression;
};

enum class Aim { kMinimize, kMaximize };
// Which of the reported values is the result.
enum class ResultRule { kLast, kBest };

struct StudyObjective {
  std::string metric;
  Aim aim = Aim::kMinimize;
  ResultRule result = ResultRule::kLast;
};

enum class StudySampler {
  kAuto,
  kRandom,
  kGrid,
  kSobol,
  kTpe,
  kTpeUnivariate,
  kGp,
  kCmaEs,
  kNsga2,
  kNsga3
};

enum class PrunerKind {
  kNone,
  kMedian,
  kPercentile,
  kAsha,
  kHyperband,
  kPatient,
  kThreshold,
  kWilcoxon,
  kPbt  // population based training: the worst go on from the checkpoints of the best
};

struct StudyPruner {
  PrunerKind kind = PrunerKind::kNone;
  std::optional<double> percentile = {};
  std::optional<std::int64_t> startup_trials = {};
  std::optional<std::int64_t> warmup_steps = {};
  std::optional<std::int64_t> interval_steps = {};
  std::optional<std::int64_t> min_steps = {};
  std::optional<std::int64_t> max_steps = {};
  std::optional<std::int64_t> reduction = {};
  std::optional<std::int64_t> patience = {};
  std::optional<double> min_delta = {};
  std::optional<double> lower = {};
  std::optional<double> upper = {};
  std::optional<double> p_threshold = {};
  bool promote = false;  // what stops at a rung may go on later, from its checkpoint
  std::optional<double> quantile = {};
  std::optional<double> resample = {};
  std::optional<double> factor = {};
  std::vector<std::string> parameters = {};  // that successors change; empty: all
};

// How much may be tried; none of the three: until it is stopped.
struct StudyBudget {
  std::optional<std::int64_t> trials = {};  // configurations; each is run `repeats` times
  std::optional<std::int64_t> seconds = {};
  std::optional<double> gpu_hours = {};
};

struct StudySpec {
  std::vector<StudyObjective> objectives;
  std::vector<StudyParameter> parameters;
  std::vector<std::string> constraints;
  std::vector<DerivedParameter> derived;
  StudySampler sampler = StudySampler::kAuto;
  StudyPruner pruner;
  std::optional<std::int64_t> seed;
  std::int64_t repeats = 1;
  std::int64_t concurrency = 1;
  std::int64_t max_failures = 10;  // in a row; then it pauses
  std::string pattern;             // of log lines; empty: JSON objects
  StudyBudget budget;
  std::string start_from;            // a study of the project whose results are taken over
  std::string checkpoints;           // a folder that every trial sees; empty: none
  std::optional<Document> workload;  // spec of the trials; none: programs ask and tell
};

enum class StudyState {
  kRunning,
  kPaused,     // no new trial begins; those that run go on
  kCompleted,  // the budget is spent, and every trial has ended
  kStopped,    // by a person
};

struct Study {
  StudyId id;
  ProjectId project;
  std::string name;   // unique in its project
  Document document;  // the spec as it was sent
  StudySpec spec;
  StudyBudget budget;  // with what it was extended by
  std::uint64_t seed = 0;
  // With whose rights trials are submitted.
  SubjectType owner_type = SubjectType::kUser;
  std::string owner;
  std::optional<UserId> owner_user;
  StudyState state = StudyState::kRunning;
  std::string message;        // why it is in this state; one sentence
  std::int64_t failures = 0;  // trials in a row that failed
  Stamp stamp;
  std::optional<Time> ended_at;
};

enum class TrialPhase { kRunning, kComplete, kPruned, kFailed };

// An intermediate value of the first objective.
struct TrialReport {
  std::int64_t step = 0;
  double value = 0;
};

// What was reported for one objective so far.
struct ReportedValue {
  std::optional<double> last = {};  // may be not a number
  std::optional<double> best = {};  // never that
};

// The origin of a result that was taken over from an earlier study.
inline constexpr std::string_view kEarlierOrigin = "earlier";

struct StudyTrial {
  std::int64_t number = 0;
  TrialPhase phase = TrialPhase::kRunning;
  // By parameter of the spec: a number, or the index of a choice; not a number where the parameter
  // does not exist.
  std::vector<double> values;
  std::vector<double> derived;
  std::vector<double> results;  // one for each objective, once complete
  std::vector<ReportedValue> reported;
  std::vector<TrialReport> reports;  // by step
  std::optional<std::int64_t> repeat_of;
  std::optional<std::int64_t> continues;     // it took the place of this one, which was stopped
  std::optional<std::int64_t> resumes_from;  // and started from the checkpoint of this one
  std::string origin;                        // where the configuration came from, in one word
  std::vector<double> latent;                // as drawn, before rounding
  std::int64_t endings_before = 0;
  std::optional<std::int64_t> finished;  // its place in the order of endings

  std::optional<WorkloadId> workload;  // chosen before it is submitted, so that it is made once
  bool submitted = false;              // the workload has been made
  std::int32_t attempt = 0;            // whose log was read
  std::int64_t log_offset = 0;         // up to here
  std::string stop_reason;             // not empty: a pruner has decided to stop it
  std::optional<std::int64_t> successor_from;  // then a successor starts from this one's checkpoint
  std::string message;                         // how it ended
  GpuTime gpu_time;
  Time created_at;
  std::optional<Time> ended_at;
};

// Whether it is no part of the budget: it goes on with another one's work, or was done elsewhere.
inline bool IsExtra(const StudyTrial& trial) {
  return trial.continues.has_value() || trial.origin == kEarlierOrigin;
}

}  // namespace yard

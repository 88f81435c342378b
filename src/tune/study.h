// A study: asks for configurations and is told their results.
//
// The state is the list of trials; Restore with the same space, options and trials gives a study
// whose next suggestion is the same, whenever its process was killed. Configurations of a discrete
// space are not suggested twice, running trials included: once all are taken, the best is run again
// as a repeat. With `repeats` above 1 every configuration is run so often, and samplers see the
// mean of the runs.
//
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "tune/history.h"
#include "tune/sampler.h"
#include "tune/space.h"
#include "tune/trial.h"

namespace yard::tune {

enum class Direction { kMinimize, kMaximize };

struct StudyOptions {
  std::uint64_t seed = 0;
  std::vector<Direction> directions = {Direction::kMinimize};
  SamplerKind sampler = SamplerKind::kAuto;
  std::optional<std::size_t> budget = {};  // trials, if known beforehand
  std::size_t parallelism = 1;             // trials that run at the same time
  std::size_t repeats = 1;
};

// How a trial ended.
struct Outcome {
  TrialState state = TrialState::kComplete;
  std::vector<double> values = {};  // of a complete trial
  double violation = 0;
};

class Study {
 public:
  static Result<Study> Make(Space space, StudyOptions options);
  // Trials as they were stored, in the order of their numbers.
  static Result<Study> Restore(Space space, StudyOptions options, std::vector<Trial> trials);

  // The next trial, running from now on.
  const Trial& Ask();
  // Whether Ask would run a configuration again that has not had all of its repeats.
  bool NextIsRepeat() const;
  // Ask, for a configuration that is not the sampler's.
  Result<TrialNumber> Begin(const Configuration& configuration, Origin origin = Origin::kGiven);
  // A result from elsewhere: by hand, or from an earlier study.
  Status Add(const Configuration& configuration, const Outcome& outcome);

  // An intermediate value. Refused after the end of the trial and for a step that was reported.
  Status Report(TrialNumber number, std::int64_t step, double value);
  // Refused unless the trial runs. A complete trial with a value that is not finite becomes failed.
  Status Tell(TrialNumber number, const Outcome& outcome);

  const Space& space() const { return *space_; }
  const StudyOptions& options() const { return options_; }
  std::span<const Trial> trials() const { return trials_; }
  const History& history() const { return history_; }
  // The complete feasible configuration with the best mean; several objectives: see ParetoFront.
  std::optional<TrialNumber> Best() const;

 private:
  struct Group {  // the runs of one configuration
    TrialNumber first{};
    std::size_t started = 0;
    std::size_t ended = 0;
    bool observed = false;
  };

  Study(Space space, StudyOptions options);
  Status CheckRunning(TrialNumber number) const;
  Trial& Start(Configuration configuration, Origin origin, Point latent);
  Trial& StartRepeat(TrialNumber first);
  void End(Trial& trial, const Outcome& outcome);
  void Observe(std::span<const Trial> runs);
  std::vector<Trial> RunsOf(const Group& group) const;
  double SignOf(std::size_t objective) const;  // makes its values losses
  void RefreshPending();
  Group& GroupOf(const Trial& trial);
  bool Taken(const Configuration& configuration) const;
  std::optional<Configuration> Free(const Configuration& wanted, Rng& rng) const;
  double LossOfPruned(const Trial& trial) const;

  std::unique_ptr<const Space> space_;  // samplers refer to it, so it must not move
  StudyOptions options_;
  std::vector<Trial> trials_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;                   // by trial number
  std::vector<std::size_t> open_;                       // groups that are not observed yet
  std::unordered_map<std::string, std::size_t> taken_;  // configurations, with their groups
  History history_;
  std::unique_ptr<Sampler> sampler_;
  std::int64_t endings_ = 0;
};

}  // namespace yard::tune

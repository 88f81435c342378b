#include "tune/study.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace yard::tune {
namespace {

// Points tried around a duplicate before the whole space is listed.
constexpr int kNeighbours = 200;
constexpr std::size_t kListable = 2000000;

std::string KeyOf(const Configuration& configuration) {
  std::string key(configuration.size() * sizeof(double), '\0');
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    double value = configuration.At(i).value_or(-1e300);
    std::memcpy(&key[i * sizeof value], &value, sizeof value);
  }
  return key;
}

Status CheckOptions(const StudyOptions& options) {
  if (options.directions.empty()) return Fail(Code::kInvalid, "the study has no objective");
  if (options.repeats == 0) return Fail(Code::kInvalid, "repeats must be at least 1");
  if (options.parallelism == 0) return Fail(Code::kInvalid, "parallelism must be at least 1");
  return {};
}

std::size_t IndexOf(TrialNumber number) {
  return static_cast<std::size_t>(number.value);
}

// By which Space::Make has found that the constraints can be satisfied: there may be few such
// points.
Point KnownPoint(const Space& space) {
  Rng rng(0);
  return space.RandomPoint(rng);
}

}  // namespace

Study::Study(Space space, StudyOptions options)
    : space_(std::make_unique<const Space>(std::move(space))), options_(std::move(options)) {
  history_.objectives = options_.directions.size();
  history_.seed = options_.seed;
  history_.budget = options_.budget;
  history_.parallelism = options_.parallelism;
  sampler_ = MakeSampler(options_.sampler, *space_);
}

Result<Study> Study::Make(Space space, StudyOptions options) {
  YARD_TRY(CheckOptions(options));
  return Study(std::move(space), std::move(options));
}

Result<Study> Study::Restore(Space space, StudyOptions options, std::vector<Trial> trials) {
  YARD_ASSIGN(Study study, Make(std::move(space), std::move(options)));
  std::vector<std::pair<std::int64_t, std::size_t>> endings;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (IndexOf(trials[i].number) != i) {
      return Fail(Code::kInvalid, fmt::format("trial {} is missing in the stored list", i));
    }
    YARD_TRY(study.space_->Validate(trials[i].configuration));
    if (trials[i].finished) endings.emplace_back(*trials[i].finished, i);
  }
  std::ranges::sort(endings);
  // Beginnings and endings in the order in which they happened.
  auto next = endings.begin();
  auto end_before = [&](std::int64_t order) {
    for (; next != endings.end() && next->first < order; ++next) {
      const Trial& stored = trials[next->second];
      study.End(study.trials_[next->second], {stored.state, stored.values, stored.violation});
    }
  };
  for (const Trial& trial : trials) {
    end_before(trial.endings_before);
    Trial& started = trial.repeat_of ? study.StartRepeat(*trial.repeat_of)
                                     : study.Start(trial.configuration, trial.origin, trial.latent);
    started.reports = trial.reports;
  }
  end_before(std::numeric_limits<std::int64_t>::max());
  return study;
}

Study::Group& Study::GroupOf(const Trial& trial) {
  return groups_[group_of_[IndexOf(trial.number)]];
}

bool Study::Taken(const Configuration& configuration) const {
  return taken_.contains(KeyOf(configuration));
}

Trial& Study::Start(Configuration configuration, Origin origin, Point latent) {
  Trial trial;
  trial.number = TrialNumber(static_cast<std::int64_t>(trials_.size()));
  trial.endings_before = endings_;
  trial.derived = space_->DerivedValues(configuration);
  trial.origin = origin;
  trial.latent = std::move(latent);
  taken_.emplace(KeyOf(configuration), groups_.size());
  trial.configuration = std::move(configuration);
  group_of_.push_back(groups_.size());
  open_.push_back(groups_.size());
  groups_.push_back({trial.number, 1});
  trials_.push_back(std::move(trial));
  RefreshPending();
  return trials_.back();
}

Trial& Study::StartRepeat(TrialNumber first) {
  const Trial& leader = trials_[IndexOf(first)];
  Trial trial;
  trial.number = TrialNumber(static_cast<std::int64_t>(trials_.size()));
  trial.configuration = leader.configuration;
  trial.derived = leader.derived;
  trial.latent = leader.latent;
  trial.origin = Origin::kRepeat;
  trial.repeat_of = first;
  trial.endings_before = endings_;
  std::size_t group = group_of_[IndexOf(first)];
  ++groups_[group].started;
  group_of_.push_back(group);
  trials_.push_back(std::move(trial));
  return trials_.back();
}

bool Study::NextIsRepeat() const {
  return std::ranges::any_of(
      open_, [&](std::size_t open) { return groups_[open].started < options_.repeats; });
}

const Trial& Study::Ask() {
  for (std::size_t open : open_) {
    const Group& group = groups_[open];
    if (group.started < options_.repeats) return StartRepeat(group.first);
  }
  Rng rng(options_.seed, trials_.size());
  history_.asked = groups_.size();
  Proposal proposal = sampler_->Suggest(history_, rng);
  Configuration wanted = space_->Decode(proposal.point);
  if (!Taken(wanted) && space_->Satisfies(wanted)) {
    return Start(std::move(wanted), proposal.origin, std::move(proposal.point));
  }
  if (std::optional<Configuration> free = Free(wanted, rng)) {
    Point point = space_->Encode(*free);
    return Start(*std::move(free), Origin::kSpread, std::move(point));
  }
  if (groups_.empty()) {
    Point point = KnownPoint(*space_);
    return Start(space_->Decode(point), Origin::kRandom, point);
  }
  // Everything has been tried: measure the best again, the least measured first among equals.
  TrialNumber again = Best().value_or(groups_[trials_.size() % groups_.size()].first);
  const Trial& best = trials_[IndexOf(again)];
  return StartRepeat(best.repeat_of.value_or(best.number));
}

std::optional<Configuration> Study::Free(const Configuration& wanted, Rng& rng) const {
  Point base = space_->Encode(wanted);
  std::span<const Axis> axes = space_->axes();
  if (axes.empty()) return std::nullopt;
  for (int i = 0; i < kNeighbours; ++i) {
    Point random = space_->RandomPoint(rng);
    Point point = base;
    // Few coordinates change at first, more with every failure.
    double chance = (1.0 + i / 16.0) / static_cast<double>(axes.size());
    std::size_t forced = rng.Below(axes.size());
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (a == forced || std::isnan(point[a]) || rng.Uniform() < chance) point[a] = random[a];
    }
    Configuration candidate = space_->Decode(point);
    if (!Taken(candidate) && space_->Satisfies(candidate)) return candidate;
  }
  std::optional<std::size_t> count = space_->Count();
  if (!count || *count > kListable) return std::nullopt;
  std::vector<Configuration> all = space_->Enumerate(kListable);
  std::erase_if(all, [this](const Configuration& c) { return Taken(c); });
  if (all.empty()) return std::nullopt;
  return all[rng.Below(all.size())];
}

Result<TrialNumber> Study::Begin(const Configuration& configuration, Origin origin) {
  YARD_TRY(space_->Validate(configuration));
  if (auto known = taken_.find(KeyOf(configuration)); known != taken_.end()) {
    return StartRepeat(groups_[known->second].first).number;
  }
  return Start(configuration, origin, space_->Encode(configuration)).number;
}

Status Study::Add(const Configuration& configuration, const Outcome& outcome) {
  YARD_ASSIGN(TrialNumber number, Begin(configuration));
  return Tell(number, outcome);
}

Status Study::CheckRunning(TrialNumber number) const {
  if (number.value < 0 || IndexOf(number) >= trials_.size()) {
    return Fail(Code::kNotFound, fmt::format("trial {} does not exist", number.value));
  }
  if (trials_[IndexOf(number)].state != TrialState::kRunning) {
    return Fail(Code::kPrecondition, fmt::format("trial {} has ended", number.value));
  }
  return {};
}

Status Study::Report(TrialNumber number, std::int64_t step, double value) {
  YARD_TRY(CheckRunning(number));
  Trial& trial = trials_[IndexOf(number)];
  auto at = std::ranges::lower_bound(trial.reports, step, {}, &Report::step);
  if (at != trial.reports.end() && at->step == step) {
    return Fail(Code::kConflict,
                fmt::format("trial {} has reported step {} before", number.value, step));
  }
  trial.reports.insert(at, {step, value});
  return {};
}

Status Study::Tell(TrialNumber number, const Outcome& outcome) {
  YARD_TRY(CheckRunning(number));
  bool complete = outcome.state == TrialState::kComplete;
  if (outcome.state == TrialState::kRunning) {
    return Fail(Code::kInvalid, fmt::format("trial {} cannot end as running", number.value));
  }
  if (complete && outcome.values.size() != options_.directions.size()) {
    return Fail(Code::kInvalid,
                fmt::format("trial {} has {} values, the study has {} objectives", number.value,
                            outcome.values.size(), options_.directions.size()));
  }
  End(trials_[IndexOf(number)], outcome);
  return {};
}

void Study::End(Trial& trial, const Outcome& outcome) {
  trial.state = outcome.state;
  trial.values = outcome.values;
  trial.violation = std::isnan(outcome.violation) ? 1e300 : std::max(outcome.violation, 0.0);
  bool finite = std::ranges::all_of(trial.values, [](double v) { return std::isfinite(v); });
  if (!finite) trial.state = TrialState::kFailed;
  trial.finished = endings_++;
  Group& group = GroupOf(trial);
  ++group.ended;
  // A configuration that fails or is pruned early is not run again and again.
  bool given_up = trial.state != TrialState::kComplete && group.ended == group.started;
  if (group.observed) {
    Observe({&trial, 1});
  } else if (group.ended >= options_.repeats || given_up) {
    group.observed = true;
    std::erase(open_, group_of_[IndexOf(trial.number)]);
    Observe(RunsOf(group));
  }
  RefreshPending();
}

// The last report in terms of the final loss: the final losses of complete trials that were about
// as good at that step. Without any, the report itself.
double Study::LossOfPruned(const Trial& trial) const {
  double sign = SignOf(0);
  const struct Report& last = trial.reports.back();
  std::vector<std::pair<double, double>> nearest;  // distance at that step, final loss
  for (const Trial& other : trials_) {
    if (other.state != TrialState::kComplete) continue;
    auto at = std::ranges::lower_bound(other.reports, last.step, {}, &Report::step);
    if (at == other.reports.end() || at->step != last.step) continue;
    nearest.emplace_back(std::abs(at->value - last.value), sign * other.values[0]);
  }
  if (nearest.empty()) return sign * last.value;
  std::size_t count = std::min<std::size_t>(3, nearest.size());
  std::ranges::partial_sort(nearest, nearest.begin() + static_cast<std::ptrdiff_t>(count));
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += nearest[i].second;
  return sum / static_cast<double>(count);
}

std::vector<Trial> Study::RunsOf(const Group& group) const {
  std::vector<Trial> runs;
  for (std::size_t i = IndexOf(group.first); i < trials_.size(); ++i) {
    if (&groups_[group_of_[i]] == &group) runs.push_back(trials_[i]);
    if (runs.size() == group.started) break;
  }
  return runs;
}

void Study::Observe(std::span<const Trial> runs) {
  Observation o;
  o.losses.assign(options_.directions.size(), 0.0);
  o.count = 0;
  const Trial* pruned = nullptr;
  for (const Trial& trial : runs) {
    if (trial.state == TrialState::kPruned && !trial.reports.empty()) pruned = &trial;
    if (trial.state != TrialState::kComplete) continue;
    o.count += 1;
    o.violation = std::max(o.violation, trial.violation);
    for (std::size_t i = 0; i < o.losses.size(); ++i) o.losses[i] += SignOf(i) * trial.values[i];
  }
  for (double& loss : o.losses) loss /= std::max(o.count, 1.0);
  if (o.count == 0) {
    if (pruned == nullptr || o.losses.size() > 1) return;
    if (!std::isfinite(pruned->reports.back().value)) return;
    o.pruned = true;
    o.count = 1;
    o.losses[0] = LossOfPruned(*pruned);
  }
  const Trial& first = runs.front();
  o.x = space_->Encode(first.configuration);
  o.latent = first.latent.empty() ? o.x : first.latent;
  o.origin = first.origin;
  history_.finished.push_back(std::move(o));
}

double Study::SignOf(std::size_t objective) const {
  return options_.directions[objective] == Direction::kMinimize ? 1 : -1;
}

void Study::RefreshPending() {
  history_.pending.clear();
  for (std::size_t open : open_) {
    const Group& group = groups_[open];
    if (group.ended == group.started) continue;
    history_.pending.push_back(space_->Encode(trials_[IndexOf(group.first)].configuration));
  }
}

std::optional<TrialNumber> Study::Best() const {
  double sign = SignOf(0);
  std::vector<double> sums(groups_.size(), 0.0);
  std::vector<double> counts(groups_.size(), 0.0);
  for (const Trial& trial : trials_) {
    if (trial.state != TrialState::kComplete || trial.violation > 0) continue;
    sums[group_of_[IndexOf(trial.number)]] += sign * trial.values[0];
    counts[group_of_[IndexOf(trial.number)]] += 1;
  }
  std::optional<std::size_t> best;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (counts[g] == 0) continue;
    if (!best || sums[g] / counts[g] < sums[*best] / counts[*best]) best = g;
  }
  if (!best) return std::nullopt;
  return groups_[*best].first;
}

}  // namespace yard::tune

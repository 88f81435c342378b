// Fairness between people and projects, and promised starts, as tables (bench/fair.sh).
//   fair_bench [TRACES]   of large jobs in a stream; 5 if not said
#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <string_view>

#include "bench/multifactor.h"
#include "sched/forecast/forecast.h"
#include "sim/scenarios.h"
#include "sim/summary.h"

namespace yard::bench {
namespace {

using sched::Backfill;
using sched::Fairness;
using sched::People;
using sim::RunInput;
using sim::RunResult;

RunResult ResultOf(const RunInput& input, const sim::Watcher& watcher = {}) {
  auto result = sim::Run(input, watcher);
  if (!result) fmt::print(stderr, "{}\n", result.error().message);
  return result ? *std::move(result) : RunResult{};
}

double MeanWait(const sim::Summary& summary, const std::function<bool(std::string_view)>& counts) {
  double sum = 0;
  int people = 0;
  for (const sim::Account& user : summary.users) {
    if (!counts(user.name)) continue;
    sum += user.wait_s.mean;
    ++people;
  }
  return sum / people;
}

void Hog() {
  struct Row {
    std::string_view name;
    Fairness fairness;
    People people;
  };
  fmt::print("One hog with 300 jobs, ten others, two projects, 32 GPUs\n");
  fmt::print("{:<34}{:>8}{:>14}{:>12}{:>12}{:>12}\n", "rule", "Jain", "GPUs at work", "hog wait s",
             "mates s", "others s");
  for (const Row& row :
       {Row{"fifo", Fairness::kFifo, People::kInLine},
        Row{"fair-share, first come in project", Fairness::kFairShare, People::kInLine},
        Row{"fair-share, by person (default)", Fairness::kFairShare, People::kByUse},
        Row{"decayed, by person", Fairness::kDecayedShare, People::kByUse},
        Row{"nth-gpu", Fairness::kNthGpu, People::kInLine}}) {
    RunInput input = sim::OneHog();
    input.cluster.policy.fairness = row.fairness;
    input.cluster.policy.people = row.people;
    const sim::Summary s = sim::Summarise("", input, ResultOf(input));
    fmt::print("{:<34}{:>8.3f}{:>14.2f}{:>12.0f}{:>12.0f}{:>12.0f}\n", row.name, s.fairness_users,
               s.gpus_at_work, MeanWait(s, [](auto name) { return name == "hog"; }),
               MeanWait(s, [](auto name) { return name != "hog" && name < "u5"; }),
               MeanWait(s, [](auto name) { return name >= "u5"; }));
  }
}

// Mean wait of the project that came second, and when it had had its first 100 jobs' start.
void PrintSecond(std::string_view name, const RunInput& input,
                 const std::function<Time(std::size_t)>& start) {
  std::vector<double> waits;
  for (std::size_t j = 0; j < input.jobs.size(); ++j) {
    if (input.jobs[j].project != "second") continue;
    waits.push_back(static_cast<double>((start(j) - input.jobs[j].submit).value) / 1e6);
  }
  const sim::Spread spread = sim::SpreadOf(waits);
  fmt::print("{:<34}{:>12.0f}{:>12.0f}{:>12.0f}\n", name, spread.mean, spread.p50, spread.p95);
}

void SoleUse() {
  fmt::print("\nA day of sole use by one project, then another comes; half-life 7 days\n");
  fmt::print("{:<34}{:>12}{:>12}{:>12}\n", "rule", "mean wait s", "median s", "p95 s");
  RunInput input = sim::ADayOfSoleUse();
  for (const auto& [name, fairness] :
       {std::pair<std::string_view, Fairness>{"fifo", Fairness::kFifo},
        {"fair-share", Fairness::kFairShare},
        {"decayed", Fairness::kDecayedShare}}) {
    input.cluster.policy.fairness = fairness;
    const RunResult result = ResultOf(input);
    PrintSecond(name, input, [&](std::size_t j) { return *result.outcomes[j].first_start; });
  }
  const std::vector<Time> model = RunMultifactor(input, Days(7));
  PrintSecond("Slurm multifactor (model)", input, [&](std::size_t j) { return model[j]; });
}

struct Promises {
  std::map<std::string, Time> told;
  std::vector<double> ranges;  // from the earliest to the latest start, in seconds
  Status Note(const sim::Step& step) {
    for (std::size_t w = 0; w < step.after.workloads.size(); ++w) {
      const sched::Workload& job = step.after.workloads[w];
      if (!job.name.starts_with("large-") || told.contains(job.name)) continue;
      if (job.state == sched::WorkloadState::kRunning) told[job.name] = step.after.now;
      if (job.state != sched::WorkloadState::kPending) continue;
      const sched::WorkloadIndex index(static_cast<std::int32_t>(w));
      const auto forecast = ForecastStart(step.after, step.policy, index, {});
      // No latest start is no promise: it counts as broken.
      told[job.name] = forecast.latest.value_or(step.after.now);
      if (!forecast.latest) continue;
      ranges.push_back(static_cast<double>((*forecast.latest - *forecast.earliest).value) / 1e6);
    }
    return {};
  }
};

struct Score {
  int kept = 0;
  int all = 0;
  double wait = 0;
  double worst = 0;
  double allocation = 0;
  std::vector<double> ranges;

  void Add(const RunInput& input, const RunResult& result, const Promises& promises) {
    ranges.insert(ranges.end(), promises.ranges.begin(), promises.ranges.end());
    allocation += sim::Summarise("", input, result).allocation_pct;
    for (std::size_t j = 0; j < input.jobs.size(); ++j) {
      const auto told = promises.told.find(input.jobs[j].id);
      if (told == promises.told.end()) continue;
      const Time start = *result.outcomes[j].first_start;
      ++all;
      kept += start <= told->second ? 1 : 0;
      worst = std::max(worst, static_cast<double>((start - told->second).value) / 1e6);
      wait += static_cast<double>((start - input.jobs[j].submit).value) / 1e6;
    }
  }
};

void Large(sim::Projects projects, std::string_view title, std::uint64_t traces) {
  fmt::print("\n50 large jobs (8 or 16 of 32 GPUs) in a stream of 800 small ones, {} traces, {}\n",
             traces, title);
  fmt::print("{:<34}{:>10}{:>14}{:>14}{:>16}{:>14}\n", "backfill", "in time", "mean wait s",
             "worst late s", "median range s", "allocation %");
  for (const auto& [name, backfill] : {std::pair<std::string_view, Backfill>{"off", Backfill::kOff},
                                       {"conservative", Backfill::kConservative},
                                       {"heads (default)", Backfill::kHeads}}) {
    Score score;
    for (std::uint64_t seed = 1; seed <= traces; ++seed) {
      RunInput input = sim::LargeJobsInAStream(seed, projects);
      input.cluster.policy.backfill = backfill;
      Promises promises;
      const RunResult result =
          ResultOf(input, [&](const sim::Step& step) { return promises.Note(step); });
      score.Add(input, result, promises);
    }
    fmt::print("{:<34}{:>6}/{:<3}{:>14.0f}{:>14.0f}{:>16.0f}{:>14.1f}\n", name, score.kept,
               score.all, score.wait / score.all, score.worst, sim::SpreadOf(score.ranges).p50,
               score.allocation / static_cast<double>(traces));
  }
}

}  // namespace
}  // namespace yard::bench

int main(int argc, char** argv) {
  const std::uint64_t traces = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5;
  yard::bench::Hog();
  yard::bench::SoleUse();
  yard::bench::Large(yard::sim::Projects::kOne, "one project", traces);
  yard::bench::Large(yard::sim::Projects::kTwo, "two projects with half of the GPUs each", traces);
}

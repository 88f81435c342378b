// Scheduler benchmarks on one core, each beside the best published figure for the same scenario.
//
//   sched_bench [--benchmark_out=FILE --benchmark_out_format=json]
//
// The published figures were measured by their authors on their machines and include what their
// systems do around the decision; the table says so in the conditions.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <map>
#include <string>

#include "base/check.h"
#include "bench/sched_scenarios.h"
#include "sched/schedule.h"
#include "sched/scheduler.h"

namespace yard::bench {
namespace {

using sched::Plan;
using sched::Policy;
using sched::Schedule;
using sched::Scheduler;
using sched::Snapshot;

Plan Decided(const Snapshot& snapshot) {
  auto plan = Schedule(snapshot, Policy{});
  YARD_CHECK(plan.has_value());
  return std::move(*plan);
}

void Run(benchmark::State& state, const Snapshot& snapshot, std::size_t starts) {
  for (auto _ : state) {
    const Plan plan = Decided(snapshot);
    YARD_CHECK(plan.starts.size() == starts);
    benchmark::DoNotOptimize(plan);
  }
  const auto placed = static_cast<double>(starts) * static_cast<double>(state.iterations());
  state.counters["placements/s"] = benchmark::Counter(placed, benchmark::Counter::kIsRate);
}

void BM_Fill(benchmark::State& state) {
  Run(state, Fill(500), 4000);
}

// What bench/sched.sh gives to a Slurm beside it.
void BM_FillSmall(benchmark::State& state) {
  Run(state, Fill(50), 400);
}

void BM_Unschedulable(benchmark::State& state) {
  auto scheduler = Scheduler::Create(Unschedulable(), Policy{});
  for (auto _ : state) {
    const Plan plan = scheduler->Decide();
    YARD_CHECK(plan.starts.empty() && plan.refusals.size() == 1);
    benchmark::DoNotOptimize(plan);
  }
}

void BM_UnschedulableFull(benchmark::State& state) {
  Run(state, Unschedulable(), 0);
}

void BM_ReclaimGang(benchmark::State& state) {
  Run(state, ReclaimGang(), 1);
}

void BM_ReclaimMany(benchmark::State& state) {
  Run(state, ReclaimMany(), 4000);
}

void BM_KubeBasic(benchmark::State& state) {
  Run(state, KubeBasic(), 50'000);
}

void BM_Cohorts(benchmark::State& state) {
  Run(state, Cohorts(), 50'000);
}

void BM_HugeFull(benchmark::State& state) {
  const Snapshot snapshot = Huge();
  for (auto _ : state) benchmark::DoNotOptimize(Decided(snapshot));
}

void BM_HugeEmptyFull(benchmark::State& state) {
  const Snapshot snapshot = HugeEmpty();
  for (auto _ : state) benchmark::DoNotOptimize(Decided(snapshot));
}

// One workload ends, the decision starts another in its place, and both are told back.
void BM_HugeEvent(benchmark::State& state) {
  auto scheduler = Scheduler::Create(Huge(), Policy{});
  std::int32_t next = 0;
  scheduler->Decide();
  for (auto _ : state) {
    scheduler->Remove(sched::WorkloadIndex(next++));
    Plan plan = scheduler->Decide();
    YARD_CHECK(plan.starts.size() == 1);
    YARD_CHECK(scheduler->Start(plan.starts[0].workload, plan.starts[0].tasks).has_value());
  }
}

constexpr auto kUnit = benchmark::kMillisecond;
BENCHMARK(BM_Fill)->Unit(kUnit);
BENCHMARK(BM_FillSmall)->Unit(kUnit);
BENCHMARK(BM_Unschedulable)->Unit(kUnit);
BENCHMARK(BM_UnschedulableFull)->Unit(kUnit);
BENCHMARK(BM_ReclaimGang)->Unit(kUnit);
BENCHMARK(BM_ReclaimMany)->Unit(kUnit);
BENCHMARK(BM_KubeBasic)->Unit(kUnit);
BENCHMARK(BM_Cohorts)->Unit(kUnit);
BENCHMARK(BM_HugeEvent)->Unit(kUnit);
BENCHMARK(BM_HugeFull)->Unit(kUnit)->Iterations(1);
BENCHMARK(BM_HugeEmptyFull)->Unit(kUnit)->Iterations(1);

struct Peer {
  const char* scenario;
  double published_ms;
  const char* who;
};

// Published: facts with their conditions, in milliseconds for the whole scenario.
const std::map<std::string, Peer>& Peers() {
  static const std::map<std::string, Peer> kPeers = {
      {"BM_Fill", {"fill 500x8 GPUs with 4,000 jobs", 397'800, "KAI scale test, API included"}},
      {"BM_Unschedulable",
       {"10x8 gang refused on a full 500x8", 249'500, "KAI scale test, API included"}},
      {"BM_UnschedulableFull",
       {"the same from a cold snapshot", 249'500, "KAI scale test, API included"}},
      {"BM_ReclaimGang",
       {"reclaim 100x8 gang, 8,000 victims", 76'300, "KAI in process, Core Ultra 7 165H"}},
      {"BM_ReclaimMany",
       {"reclaim 4,000 one-GPU jobs, 500 nodes", 165'600, "KAI in process, same machine"}},
      {"BM_KubeBasic",
       {"50,000 pods on 5,000 nodes", 50'000.0 / 810 * 1000, "kube-scheduler floor, API included"}},
      {"BM_Cohorts",
       {"admit 50,000 in 1,000 queues", 1'179'400, "Kueue minimalkueue, API included"}},
      {"BM_HugeEvent",
       {"one event, 100,000 nodes, 1M waiting", 2'400, "KAI cycle at 4,000 nodes, 140,000 pods"}},
      {"BM_HugeFull",
       {"full decision on the same", 2'400, "KAI cycle at 4,000 nodes, 140,000 pods"}},
      {"BM_HugeEmptyFull",
       {"place on 800,000 empty GPUs", 2'400, "KAI cycle at 4,000 nodes, 140,000 pods"}},
  };
  return kPeers;
}

// The usual console output, and a line of the comparison per scenario at the end.
class TableReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      const std::string name = run.run_name.function_name;
      const auto peer = Peers().find(name);
      if (peer == Peers().end()) continue;
      const double ms = run.GetAdjustedCPUTime();
      rows_ += fmt::format("{:<40} {:>14.1f} {:>12.3f} {:>12.0f}x  {}\n", peer->second.scenario,
                           peer->second.published_ms, ms, peer->second.published_ms / ms,
                           peer->second.who);
    }
  }
  void Finalize() override {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("\n{:<40} {:>14} {:>12} {:>13}  {}\n", "scenario", "published ms", "ours CPU ms",
               "ratio", "published conditions");
    fmt::print("{}ours: one core, decision only; peak memory of all scenarios {} MiB\n", rows_,
               usage.ru_maxrss / 1024);
  }

 private:
  std::string rows_;
};

}  // namespace
}  // namespace yard::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  yard::bench::TableReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return 0;
}

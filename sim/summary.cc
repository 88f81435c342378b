#include "sim/summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace yard::sim {
namespace {

double InSeconds(Micros span) {
  return static_cast<double>(span.value) / 1e6;
}

double GpuHours(const Job& job, Micros span) {
  return static_cast<double>(job.TotalGpu().value) / 1000 * InSeconds(span) / 3600;
}

// 1 for a job that started at once and ran through.
double SpeedOf(const Job& job, const JobOutcome& outcome) {
  if (!outcome.end) return 0;
  return InSeconds(job.duration) / InSeconds(*outcome.end - job.submit);
}

std::vector<Account> AccountsBy(std::string Job::* key, const RunInput& input,
                                const RunResult& result) {
  std::map<std::string, Account> accounts;
  std::map<std::string, std::vector<double>> waits;
  for (std::size_t j = 0; j < input.jobs.size(); ++j) {
    const Job& job = input.jobs[j];
    const JobOutcome& outcome = result.outcomes[j];
    Account& account = accounts[job.*key];
    ++account.jobs;
    account.speed += SpeedOf(job, outcome);
    account.preemptions += outcome.preemptions;
    if (!outcome.end) continue;
    ++account.ended;
    account.gpu_hours += GpuHours(job, job.duration);
    waits[job.*key].push_back(InSeconds(*outcome.first_start - job.submit));
  }
  std::vector<Account> list;
  for (auto& [name, account] : accounts) {
    account.name = name;
    account.speed /= static_cast<double>(account.jobs);
    account.wait_s = SpreadOf(std::move(waits[name]));
    list.push_back(std::move(account));
  }
  return list;
}

double FairnessOf(const std::vector<Account>& accounts) {
  std::vector<double> speeds;
  for (const Account& account : accounts) speeds.push_back(account.speed);
  return JainIndex(speeds);
}

void AddJobs(const RunInput& input, const RunResult& result, Summary& summary) {
  std::vector<double> waits;
  std::vector<double> completions;
  double useful = 0;
  for (std::size_t j = 0; j < input.jobs.size(); ++j) {
    const Job& job = input.jobs[j];
    const JobOutcome& outcome = result.outcomes[j];
    summary.lost_gpu_hours += GpuHours(job, outcome.lost);
    if (!outcome.end) {
      summary.waiting.push_back({job.id, outcome.why_waiting});
      continue;
    }
    useful += GpuHours(job, job.duration);
    waits.push_back(InSeconds(*outcome.first_start - job.submit));
    completions.push_back(InSeconds(*outcome.end - job.submit));
  }
  summary.ended = std::ssize(waits);
  summary.wait_s = SpreadOf(std::move(waits));
  summary.completion_s = SpreadOf(std::move(completions));
  if (result.capacity_gpu_s == 0) return;
  summary.utilisation_pct = 100 * useful * 3600 / result.capacity_gpu_s;
  summary.allocation_pct = 100 * result.allocated_gpu_s / result.capacity_gpu_s;
}

// The last jobs of a trace leave GPUs idle for want of work, whatever the rule: they do not count.
double GpusAtWork(const RunInput& input, const RunResult& result, Time first) {
  const Time until = first + Micros((result.end - first).value / 10 * 9);
  double hours = 0;
  for (std::size_t j = 0; j < input.jobs.size(); ++j) {
    if (!result.outcomes[j].end) continue;
    const Time end = *result.outcomes[j].end;
    const Micros counted = std::min(end, until) - (end - input.jobs[j].duration);
    if (counted.value > 0) hours += GpuHours(input.jobs[j], counted);
  }
  return until == first ? 0 : hours * 3600 / InSeconds(until - first);
}

}  // namespace

Spread SpreadOf(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  const auto at = [&](double percent) {
    const auto rank = static_cast<std::size_t>(std::ceil(percent / 100 * count));
    return values[std::max<std::size_t>(rank, 1) - 1];
  };
  return {std::accumulate(values.begin(), values.end(), 0.0) / count, at(50), at(95), at(99)};
}

double JainIndex(std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  for (double value : values) {
    sum += value;
    squares += value * value;
  }
  return squares == 0 ? 1 : sum * sum / (static_cast<double>(values.size()) * squares);
}

Summary Summarise(std::string policy, const RunInput& input, const RunResult& result) {
  Summary summary{.policy = std::move(policy), .jobs = std::ssize(input.jobs)};
  Time first = result.end;
  for (const Job& job : input.jobs) first = std::min(first, job.submit);
  summary.makespan_s = InSeconds(result.end - first);
  summary.gpus_at_work = GpusAtWork(input, result, first);
  AddJobs(input, result, summary);
  for (const Sample& sample : result.samples) summary.fragmentation_pct += sample.fragmented_pct;
  if (!result.samples.empty()) {
    summary.fragmentation_pct /= static_cast<double>(result.samples.size());
  }
  summary.users = AccountsBy(&Job::user, input, result);
  summary.projects = AccountsBy(&Job::project, input, result);
  summary.fairness_users = FairnessOf(summary.users);
  summary.fairness_projects = FairnessOf(summary.projects);
  summary.preemptions = result.preemptions;
  summary.interruptions = result.interruptions;
  summary.moves = result.moves;
  summary.decisions = result.decisions;
  summary.samples = result.samples;
  return summary;
}

}  // namespace yard::sim

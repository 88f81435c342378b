#include "sim/jobs_csv.h"

#include <set>

#include <fmt/core.h>

#include "base/strings.h"
#include "sim/csv.h"

namespace yard::sim {
namespace {

constexpr std::int64_t kMostSeconds = 10'000'000'000;
constexpr std::int64_t kMostNodes = 10'000;
constexpr std::int64_t kMostNodeGpus = 64;
constexpr std::int64_t kMostMemory = 1'000'000'000'000;
constexpr std::int64_t kMostCpu = 1'000'000'000;
constexpr std::int64_t kMostPriority = 1'000'000;

enum Column : std::size_t {
  kId,
  kUser,
  kProject,
  kSubmit,
  kDuration,
  kGpus,
  kFraction,
  kCpu,
  kMemory,
  kPriority,
  kPreemptible,
  kNodes,
  kLimit,
};

constexpr std::string_view kRequired[] = {"id",       "user",       "project",
                                          "submit_s", "duration_s", "gpus"};
constexpr std::string_view kOptional[] = {"gpu_fraction", "cpu",   "memory_mib", "priority",
                                          "preemptible",  "nodes", "limit_s"};

// Thousandths; `otherwise` where the cell is empty.
Result<std::int64_t> Milli(const CsvTable& table, std::size_t column, std::int64_t most,
                           std::int64_t otherwise) {
  if (table.Text(column).empty()) return otherwise;
  const auto milli = ParseMilli(table.Text(column));
  if (!milli) return table.Wrong(column, "is not a number with at most three decimals");
  if (*milli < 0) return table.Wrong(column, "is negative");
  if (*milli > most) return table.Wrong(column, fmt::format("is more than {}", FormatMilli(most)));
  return *milli;
}

Result<sched::Preemptibility> PreemptibilityOf(const CsvTable& table) {
  const std::string_view text = table.Text(kPreemptible);
  if (text.empty() || text == "true") return sched::Preemptibility::kPreemptible;
  if (text == "false") return sched::Preemptibility::kNonPreemptible;
  return table.Wrong(kPreemptible, "is neither true nor false");
}

Status ReadGpus(const CsvTable& table, Job& job) {
  YARD_ASSIGN(const std::int64_t gpus, table.Number(kGpus, kMostNodes * kMostNodeGpus));
  YARD_ASSIGN(const std::int64_t fraction, Milli(table, kFraction, 1000, 1000));
  YARD_ASSIGN(const std::int64_t nodes, table.Number(kNodes, kMostNodes, 1));
  if (nodes == 0) return table.Wrong(kNodes, "is not positive");
  if (gpus > 0 && fraction == 0) return table.Wrong(kFraction, "is 0 although gpus is not");
  if (gpus % nodes != 0) return table.Wrong(kGpus, "cannot be split evenly over the nodes");
  if (gpus / nodes > kMostNodeGpus) return table.Wrong(kGpus, "is more than 64 for each node");
  job.nodes = static_cast<std::int32_t>(nodes);
  job.gpus_per_node = static_cast<std::int32_t>(gpus / nodes);
  job.gpu_each = MilliGpu(fraction == 0 ? 1000 : fraction);
  return {};
}

Result<Job> ReadJob(const CsvTable& table) {
  Job job{.line = table.line()};
  YARD_ASSIGN(job.id, table.Name(kId));
  YARD_ASSIGN(job.user, table.Name(kUser));
  YARD_ASSIGN(job.project, table.Name(kProject));
  YARD_ASSIGN(const std::int64_t submit, table.Number(kSubmit, kMostSeconds));
  YARD_ASSIGN(const std::int64_t duration, table.Number(kDuration, kMostSeconds));
  if (duration == 0) return table.Wrong(kDuration, "is not positive");
  YARD_ASSIGN(const std::int64_t limit, table.Number(kLimit, kMostSeconds, 0));
  if (limit != 0 && limit < duration) return table.Wrong(kLimit, "is below the duration");
  job.limit = Seconds(limit);
  job.submit = Time{} + Seconds(submit);
  job.duration = Seconds(duration);
  YARD_TRY(ReadGpus(table, job));
  YARD_ASSIGN(const std::int64_t cpu, Milli(table, kCpu, kMostCpu, 0));
  YARD_ASSIGN(const std::int64_t memory, table.Number(kMemory, kMostMemory, 0));
  YARD_ASSIGN(const std::int64_t priority, table.Number(kPriority, kMostPriority, 50));
  YARD_ASSIGN(job.preemptibility, PreemptibilityOf(table));
  job.cpu_per_node = MilliCpu((cpu + job.nodes - 1) / job.nodes);
  job.memory_per_node = Mebibytes((memory + job.nodes - 1) / job.nodes);
  job.priority = static_cast<std::int32_t>(priority);
  return job;
}

}  // namespace

Result<std::vector<Job>> ParseJobs(std::string_view csv, std::string_view list) {
  YARD_ASSIGN(CsvTable table, CsvTable::Open(list, csv, {kRequired, kOptional}));
  std::vector<Job> jobs;
  std::set<std::string_view> ids;
  while (true) {
    YARD_ASSIGN(const bool more, table.Next());
    if (!more) break;
    YARD_ASSIGN(Job job, ReadJob(table));
    if (!ids.insert(table.Text(kId)).second) return table.Wrong(kId, "occurs twice");
    jobs.push_back(std::move(job));
  }
  if (jobs.empty()) return Fail(Code::kInvalid, fmt::format("{}: no row after the heading", list));
  return jobs;
}

Result<std::vector<Fault>> ParseFaults(std::string_view csv, std::string_view list) {
  static constexpr std::string_view kColumns[] = {"time_s", "node", "state"};
  YARD_ASSIGN(CsvTable table, CsvTable::Open(list, csv, {kColumns}));
  std::vector<Fault> faults;
  while (true) {
    YARD_ASSIGN(const bool more, table.Next());
    if (!more) break;
    Fault fault{.line = table.line()};
    YARD_ASSIGN(const std::int64_t at, table.Number(0, kMostSeconds));
    YARD_ASSIGN(fault.node, table.Name(1));
    fault.at = Time{} + Seconds(at);
    const std::string_view state = table.Text(2);
    if (state != "down" && state != "up") return table.Wrong(2, "is neither down nor up");
    fault.state = state == "down" ? sched::NodeState::kDown : sched::NodeState::kReady;
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace yard::sim

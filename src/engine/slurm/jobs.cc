#include "engine/slurm/jobs.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/slurm/rows.h"

namespace yard::engine::slurm {
namespace {

// The widths are those of the longest values; Slurm cuts longer ones.
constexpr std::string_view kColumns =
    "JobID:20|,State:24|,exit_code:12|,Reason:64|,StartTime:20|,EndTime:20|,NodeList:1024|";
constexpr std::size_t kColumnCount = 7;
constexpr std::size_t kSacctColumnCount = 6;

constexpr std::array<std::string_view, 6> kWaiting = {
    "PENDING", "PD", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"};
constexpr std::array<std::string_view, 18> kOver = {
    "COMPLETED", "CD", "CANCELLED", "CA", "FAILED",    "F",  "TIMEOUT",       "TO",  "NODE_FAIL",
    "NF",        "PR", "PREEMPTED", "BF", "BOOT_FAIL", "DL", "OUT_OF_MEMORY", "OOM", "DEADLINE"};

std::string Ids(std::span<const JobId> jobs) {
  std::string ids;
  for (const JobId& job : jobs) ids += fmt::format("{}{}", ids.empty() ? "" : ",", job.value);
  return ids;
}

std::string Word(std::string_view text) {
  text = Trim(text);
  return text == "None" || text == "N/A" || text == "(null)" ? std::string() : std::string(text);
}

// A wait status as the kernel gives it.
void TakeWaitStatus(Job& job, std::int64_t status) {
  constexpr std::int64_t kSignalBits = 0x7f;
  if ((status & kSignalBits) != 0)
    job.signal = static_cast<std::int32_t>(status & kSignalBits);
  else
    job.exit_code = static_cast<std::int32_t>(status >> 8 & 0xff);
}

std::optional<Job> ParseSqueueLine(std::string_view line) {
  const std::vector<std::string_view> fields = Split(line, '|');
  if (fields.size() < kColumnCount) return std::nullopt;
  const std::optional<std::int64_t> id = ParseInt(Trim(fields[0]));
  if (!id || *id <= 0) return std::nullopt;
  Job job;
  job.id = JobId(*id);
  job.state = Word(fields[1]);
  job.phase = PhaseOf(job.state);
  job.reason = Word(fields[3]);
  job.started_at = ParseSlurmTime(fields[4]);
  if (job.phase == JobPhase::kEnded) {
    job.ended_at = ParseSlurmTime(fields[5]);
    if (auto status = ParseInt(Trim(fields[2]))) TakeWaitStatus(job, *status);
  }
  job.node = Word(fields[6]);
  return job;
}

// "7:0": exit code, signal.
void TakePair(Job& job, std::string_view pair) {
  const std::size_t colon = pair.find(':');
  if (colon == std::string_view::npos) return;
  const std::optional<std::int64_t> code = ParseInt(pair.substr(0, colon));
  const std::optional<std::int64_t> signal = ParseInt(pair.substr(colon + 1));
  if (signal && *signal > 0 && *signal < 256)
    job.signal = static_cast<std::int32_t>(*signal);
  else if (code && *code >= 0 && *code < 256)
    job.exit_code = static_cast<std::int32_t>(*code);
}

std::optional<Job> ParseSacctLine(std::string_view line) {
  const std::vector<std::string_view> fields = Split(line, '|');
  if (fields.size() < kSacctColumnCount) return std::nullopt;
  const std::optional<std::int64_t> id = ParseInt(Trim(fields[0]));
  if (!id || *id <= 0) return std::nullopt;
  Job job;
  job.id = JobId(*id);
  const std::string_view state = Trim(fields[1]);  // "CANCELLED by 1000"
  job.state = Word(state.substr(0, state.find(' ')));
  if (state.contains(' ')) job.reason = std::string(state.substr(state.find(' ') + 1));
  job.phase = PhaseOf(job.state);
  job.started_at = ParseSlurmTime(fields[3]);
  if (job.phase == JobPhase::kEnded) {
    job.ended_at = ParseSlurmTime(fields[4]);
    TakePair(job, Trim(fields[2]));
  }
  job.node = Word(fields[5]);
  return job;
}

template <class Parse>
std::vector<Job> ParseLines(std::string_view text, Parse parse) {
  std::vector<Job> jobs;
  for (std::string_view line : Split(text, '\n'))
    if (std::optional<Job> job = parse(line)) jobs.push_back(std::move(*job));
  return jobs;
}

bool HoldsAny(std::string_view words, std::span<const std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return ContainsIgnoreCase(words, part); });
}

}  // namespace

JobPhase PhaseOf(std::string_view state) {
  auto is = [&](std::string_view word) { return EqualsIgnoreCase(word, state); };
  if (std::ranges::any_of(kWaiting, is)) return JobPhase::kPending;
  if (std::ranges::any_of(kOver, is)) return JobPhase::kEnded;
  return JobPhase::kRunning;
}

std::vector<std::string> SqueueCommand(std::span<const JobId> jobs) {
  return {"squeue",       "--noheader",          "--all",
          "--states=all", "--jobs=" + Ids(jobs), "--Format=" + std::string(kColumns)};
}

std::vector<Job> ParseSqueue(std::string_view text) {
  return ParseLines(text, ParseSqueueLine);
}

std::vector<std::string> SacctCommand(std::span<const JobId> jobs) {
  return {"sacct",
          "--noheader",
          "--parsable2",
          "--allocations",
          "--jobs=" + Ids(jobs),
          "--format=JobIDRaw,State,ExitCode,Start,End,NodeList"};
}

std::vector<Job> ParseSacct(std::string_view text) {
  return ParseLines(text, ParseSacctLine);
}

std::vector<std::string> FindCommand(std::span<const std::string> names) {
  return {"squeue",       "--noheader",     "--all",
          "--states=all", "--format=%A %j", "--name=" + Join(names, ",")};
}

std::map<std::string, JobId> ParseFound(std::string_view text) {
  std::map<std::string, JobId> found;
  for (std::string_view line : Split(text, '\n')) {
    const std::size_t space = line.find(' ');
    const std::optional<std::int64_t> id = ParseInt(line.substr(0, space));
    if (id && *id > 0 && space != std::string_view::npos)
      found.emplace(Trim(line.substr(space + 1)), JobId(*id));
  }
  return found;
}

std::optional<JobId> ParseSubmitted(std::string_view text) {
  text = Trim(text);
  const std::optional<std::int64_t> id = ParseInt(text.substr(0, text.find(';')));
  return id && *id > 0 ? std::optional(JobId(*id)) : std::nullopt;
}

bool IsOutage(std::string_view words) {
  constexpr std::array<std::string_view, 8> kParts = {"unable to contact slurm controller",
                                                      "connection refused",
                                                      "socket timed out",
                                                      "zero bytes were transmitted",
                                                      "connection timed out",
                                                      "slurmctld is starting",
                                                      "protocol authentication error",
                                                      "munge"};
  return HoldsAny(words, kParts);
}

bool IsGone(std::string_view words) {
  constexpr std::array<std::string_view, 4> kParts = {"can not be altered now", "invalid job id",
                                                      "already completing or completed",
                                                      "job/step already"};
  return HoldsAny(words, kParts);
}

}  // namespace yard::engine::slurm

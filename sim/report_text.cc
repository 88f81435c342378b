#include "sim/report_text.h"

#include <fmt/format.h>

#include "base/json.h"

namespace yard::sim {
namespace {

struct Figure {
  std::string_view name;
  std::string_view words;
  double (*of)(const Summary&);
};

constexpr Figure kFigures[] = {
    {"jobs", "jobs", [](const Summary& s) { return static_cast<double>(s.jobs); }},
    {"ended", "ended", [](const Summary& s) { return static_cast<double>(s.ended); }},
    {"makespan_s", "makespan, s", [](const Summary& s) { return s.makespan_s; }},
    {"utilisation_pct", "utilisation, %", [](const Summary& s) { return s.utilisation_pct; }},
    {"allocation_pct", "allocation, %", [](const Summary& s) { return s.allocation_pct; }},
    {"fragmentation_pct", "fragmentation, %", [](const Summary& s) { return s.fragmentation_pct; }},
    {"wait_mean_s", "waiting mean, s", [](const Summary& s) { return s.wait_s.mean; }},
    {"wait_p50_s", "waiting p50, s", [](const Summary& s) { return s.wait_s.p50; }},
    {"wait_p95_s", "waiting p95, s", [](const Summary& s) { return s.wait_s.p95; }},
    {"wait_p99_s", "waiting p99, s", [](const Summary& s) { return s.wait_s.p99; }},
    {"completion_mean_s", "completion mean, s",
     [](const Summary& s) { return s.completion_s.mean; }},
    {"completion_p50_s", "completion p50, s", [](const Summary& s) { return s.completion_s.p50; }},
    {"completion_p95_s", "completion p95, s", [](const Summary& s) { return s.completion_s.p95; }},
    {"completion_p99_s", "completion p99, s", [](const Summary& s) { return s.completion_s.p99; }},
    {"fairness_users", "fairness of users", [](const Summary& s) { return s.fairness_users; }},
    {"fairness_projects", "fairness of projects",
     [](const Summary& s) { return s.fairness_projects; }},
    {"preemptions", "preemptions",
     [](const Summary& s) { return static_cast<double>(s.preemptions); }},
    {"interruptions", "interruptions",
     [](const Summary& s) { return static_cast<double>(s.interruptions); }},
    {"moves", "moves", [](const Summary& s) { return static_cast<double>(s.moves); }},
    {"lost_gpu_hours", "GPU hours lost", [](const Summary& s) { return s.lost_gpu_hours; }},
    {"decisions", "decisions", [](const Summary& s) { return static_cast<double>(s.decisions); }},
};

// At most three decimals, none where they are zero.
std::string Number(double value) {
  std::string text = fmt::format("{:.3f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

template <class Items, class Format>
std::string JsonList(const Items& items, Format format) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    out += format(item);
  }
  return out + "]";
}

std::string AccountJson(const Account& account) {
  return fmt::format(
      "{{\"name\":{},\"jobs\":{},\"ended\":{},\"gpu_hours\":{},\"wait_mean_s\":{},"
      "\"wait_p95_s\":{},\"preemptions\":{},\"speed\":{}}}",
      Quoted(account.name), account.jobs, account.ended, Number(account.gpu_hours),
      Number(account.wait_s.mean), Number(account.wait_s.p95), account.preemptions,
      Number(account.speed));
}

std::string SampleJson(const Sample& sample) {
  return fmt::format(
      "{{\"at_s\":{},\"capacity_gpus\":{},\"allocated_gpus\":{},\"waiting_jobs\":{},"
      "\"running_jobs\":{},\"fragmented_pct\":{}}}",
      Number(static_cast<double>(sample.at.micros) / 1e6),
      Number(static_cast<double>(sample.capacity_milli) / 1000),
      Number(static_cast<double>(sample.allocated_milli) / 1000), sample.waiting_jobs,
      sample.running_jobs, Number(sample.fragmented_pct));
}

std::string RunJson(const Summary& run) {
  std::string out = fmt::format("{{\"policy\":{}", Quoted(run.policy));
  for (const Figure& figure : kFigures) {
    out += fmt::format(",\"{}\":{}", figure.name, Number(figure.of(run)));
  }
  out += ",\"users\":" + JsonList(run.users, AccountJson);
  out += ",\"projects\":" + JsonList(run.projects, AccountJson);
  out +=
      ",\"not_ended\":" + JsonList(run.waiting, [](const Waiting& waiting) {
        return fmt::format("{{\"job\":{},\"why\":{}}}", Quoted(waiting.job), Quoted(waiting.why));
      });
  return out + ",\"samples\":" + JsonList(run.samples, SampleJson) + "}";
}

std::string UserTable(const Summary& run) {
  std::string out =
      fmt::format("\n{:<24}{:>7}{:>7}{:>12}{:>12}{:>12}{:>9}{:>8}\n", "USER (" + run.policy + ")",
                  "JOBS", "ENDED", "GPU HOURS", "WAIT MEAN", "WAIT P95", "PREEMPT", "SPEED");
  for (const Account& user : run.users) {
    out += fmt::format("{:<24}{:>7}{:>7}{:>12.2f}{:>12.1f}{:>12.1f}{:>9}{:>8.3f}\n", user.name,
                       user.jobs, user.ended, user.gpu_hours, user.wait_s.mean, user.wait_s.p95,
                       user.preemptions, user.speed);
  }
  for (const Waiting& waiting : run.waiting) {
    out += fmt::format("job {} did not end{}{}\n", waiting.job, waiting.why.empty() ? "" : ": ",
                       waiting.why);
  }
  return out;
}

}  // namespace

std::string FormatTable(std::span<const Summary> runs) {
  std::string out = fmt::format("{:<22}", "");
  for (const Summary& run : runs) out += fmt::format("{:>14}", run.policy);
  out += "\n";
  for (const Figure& figure : kFigures) {
    out += fmt::format("{:<22}", figure.words);
    for (const Summary& run : runs) out += fmt::format("{:>14}", Number(figure.of(run)));
    out += "\n";
  }
  for (const Summary& run : runs) out += UserTable(run);
  return out;
}

std::string FormatJson(std::span<const Summary> runs) {
  return "{\"runs\":" + JsonList(runs, RunJson) + "}\n";
}

}  // namespace yard::sim

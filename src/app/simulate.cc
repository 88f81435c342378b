#include "app/simulate.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/simulate_backup.h"
#include "app/simulate_server.h"
#include "cli/yaml.h"
#include "sched/schedule.h"
#include "sim/cluster_json.h"
#include "sim/jobs_csv.h"
#include "sim/openb.h"
#include "sim/openb_bound.h"
#include "sim/openb_report.h"
#include "sim/report_html.h"
#include "sim/report_text.h"
#include "sim/run.h"
#include "sim/snapshot_json.h"
#include "sim/summary.h"

namespace yard::app {
namespace {

using cli::ExitCode;

Result<std::string> ReadInput(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (file.bad() || text.bad() || !file.is_open()) {
    return Fail(Code::kInvalid, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  return std::move(text).str();
}

// Every failure of a simulation is one of its input.
ExitCode Finish(const Status& status) {
  return status ? ExitCode::kOk : Report(status.error(), ExitCode::kError);
}

void AddOutput(CLI::App& command, std::string& output) {
  command.add_option("-o,--output", output, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
}

struct OpenbArguments {
  std::string nodes;
  std::string pods;
  std::string policy = "gpuyard";
  std::uint64_t seed = 42;
  std::string output = "table";
};

Status RunOpenbCommand(const OpenbArguments& arguments) {
  YARD_ASSIGN(const std::string nodes, ReadInput(arguments.nodes));
  YARD_ASSIGN(const std::string pods, ReadInput(arguments.pods));
  YARD_ASSIGN(const auto trace,
              sim::ParseOpenbTrace(nodes, pods, {arguments.nodes, arguments.pods}));
  const auto policy = sim::ParseOpenbPolicy(arguments.policy);
  const sim::OpenbRun run{*policy, arguments.seed,
                          sim::RunOpenb(trace, *policy, arguments.seed, SystemClock()),
                          sim::LeastUnallocatedPctAt100(trace, arguments.seed)};
  fmt::print("{}", arguments.output == "json" ? FormatJson(run) : FormatTable(run));
  return {};
}

void AddOpenb(CLI::App& simulate, ExitCode& exit_code) {
  CLI::App* command = simulate.add_subcommand(
      "openb", "Fill a cluster from an openb trace; how many GPUs stay unallocated?");
  command->footer(
      "Example:\n  gpuyard simulate openb --nodes nodes.csv --pods pods.csv --policy fgd -o json");
  auto arguments = std::make_shared<OpenbArguments>();
  command->add_option("--nodes", arguments->nodes, "node list (CSV)")
      ->type_name("FILE")
      ->required();
  command->add_option("--pods", arguments->pods, "pod list (CSV)")->type_name("FILE")->required();
  command->add_option("--policy", arguments->policy, "how places are chosen")
      ->check(CLI::IsMember({"random", "bestfit", "fgd", "gpuyard", "gpuyard-move"}))
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "order of arrivals and nodes")
      ->capture_default_str();
  AddOutput(*command, arguments->output);
  command->callback([arguments, &exit_code] { exit_code = Finish(RunOpenbCommand(*arguments)); });
}

constexpr std::array<std::pair<std::string_view, sched::Fairness>, 4> kFairness = {{
    {"fair-share", sched::Fairness::kFairShare},
    {"nth-gpu", sched::Fairness::kNthGpu},
    {"decayed", sched::Fairness::kDecayedShare},
    {"fifo", sched::Fairness::kFifo},
}};

struct JobsArguments {
  std::string cluster;
  std::string trace;
  std::string faults;
  std::vector<std::string> policies = {"fair-share"};
  std::string output = "table";
  std::string html;
};

// The error names the file and the line of the field.
Result<sim::ClusterFile> ReadClusterFile(const std::string& path) {
  YARD_ASSIGN(const std::string text, ReadInput(path));
  auto documents = cli::ReadYaml(text);
  if (!documents) {
    return Fail(Code::kInvalid, fmt::format("{}: {}", path, documents.error().message),
                documents.error().details);
  }
  if (documents->size() != 1) {
    return Fail(Code::kInvalid,
                fmt::format("{}: holds {} documents instead of one", path, documents->size()));
  }
  const cli::YamlDocument& document = documents->front();
  auto cluster = sim::ReadCluster(document.value());
  if (cluster) return cluster;
  const Error& error = cluster.error();
  const std::string field = error.fields.empty() ? "" : error.fields[0].field;
  return Fail(Code::kInvalid,
              fmt::format("{}: line {}: {}", path, document.LineOf(field), error.message));
}

Status WriteOutput(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file) return {};
  return Fail(Code::kInvalid, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

sched::Fairness FairnessOf(std::string_view name) {
  for (const auto& [text, fairness] : kFairness) {
    if (text == name) return fairness;
  }
  return sched::Fairness::kFairShare;
}

Status RunJobsCommand(const JobsArguments& arguments) {
  sim::RunInput input{.jobs_list = arguments.trace, .faults_list = arguments.faults};
  YARD_ASSIGN(input.cluster, ReadClusterFile(arguments.cluster));
  YARD_ASSIGN(const std::string jobs, ReadInput(arguments.trace));
  YARD_ASSIGN(input.jobs, sim::ParseJobs(jobs, arguments.trace));
  if (!arguments.faults.empty()) {
    YARD_ASSIGN(const std::string faults, ReadInput(arguments.faults));
    YARD_ASSIGN(input.faults, sim::ParseFaults(faults, arguments.faults));
  }
  std::vector<sim::Summary> runs;
  for (const std::string& policy : arguments.policies) {
    input.cluster.policy.fairness = FairnessOf(policy);
    YARD_ASSIGN(const auto result, sim::Run(input));
    runs.push_back(sim::Summarise(policy, input, result));
  }
  if (!arguments.html.empty()) YARD_TRY(WriteOutput(arguments.html, sim::FormatHtml(runs)));
  fmt::print("{}", arguments.output == "json" ? sim::FormatJson(runs) : sim::FormatTable(runs));
  return {};
}

void AddJobs(CLI::App& simulate, ExitCode& exit_code) {
  CLI::App* command = simulate.add_subcommand("jobs", "Run a list of jobs on a described cluster");
  command->footer(
      "Example:\n  gpuyard simulate jobs --cluster cluster.yaml --trace jobs.csv \\\n"
      "      --policy fair-share --policy fifo --html report.html");
  auto arguments = std::make_shared<JobsArguments>();
  command->add_option("--cluster", arguments->cluster, "pools, nodes and projects (YAML)")
      ->type_name("FILE")
      ->required();
  command->add_option("--trace", arguments->trace, "list of jobs (CSV)")
      ->type_name("FILE")
      ->required();
  command->add_option("--policy", arguments->policies, "rule of fairness; repeat to compare")
      ->check(CLI::IsMember({"fair-share", "nth-gpu", "decayed", "fifo"}))
      ->capture_default_str();
  command->add_option("--faults", arguments->faults, "nodes that fail and return (CSV)")
      ->type_name("FILE");
  command->add_option("--html", arguments->html, "write a report with plots")->type_name("FILE");
  AddOutput(*command, arguments->output);
  command->callback([arguments, &exit_code] { exit_code = Finish(RunJobsCommand(*arguments)); });
}

Status Replay(const std::string& path) {
  YARD_ASSIGN(const std::string text, ReadInput(path));
  auto capture = sim::ReadCapture(text);
  if (!capture) return Fail(Code::kInvalid, fmt::format("{}: {}", path, capture.error().message));
  const auto plan = sched::Schedule(capture->snapshot, capture->policy);
  if (!plan) return Fail(Code::kInvalid, fmt::format("{}: {}", path, plan.error().message));
  const std::string steps = Describe(*plan, capture->snapshot);
  fmt::print("{}\n", steps.empty() ? "nothing to do" : steps);
  for (const sched::Refusal& refusal : plan->refusals) {
    const auto row = static_cast<std::size_t>(refusal.first.value);
    fmt::print("{} waits{}: {} ({})\n", capture->snapshot.workloads[row].name,
               refusal.count > 1 ? fmt::format(" with {} like it", refusal.count - 1) : "",
               Sentence(refusal.reason, capture->snapshot), CauseName(refusal.reason.cause));
  }
  return {};
}

void AddReplay(CLI::App& simulate, ExitCode& exit_code) {
  CLI::App* command =
      simulate.add_subcommand("replay", "Decide again on a captured state of the scheduler");
  command->footer("Example:\n  gpuyard simulate replay snapshot.json");
  auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "the captured state (JSON)")->required();
  command->callback([path, &exit_code] { exit_code = Finish(Replay(*path)); });
}

Status WriteTrace(const std::string& backup, const std::string& jobs, const std::string& cluster) {
  YARD_ASSIGN(const Trace trace, TraceOf(backup));
  YARD_TRY(WriteOutput(jobs, trace.jobs));
  YARD_TRY(WriteOutput(cluster, trace.cluster));
  fmt::print(stderr, "{} jobs; try: gpuyard simulate jobs --cluster {} --trace {}\n", trace.count,
             cluster, jobs);
  return {};
}

void AddCapture(CLI::App& simulate, ExitCode& exit_code) {
  CLI::App* command = simulate.add_subcommand(
      "capture", "What the scheduler of a server saw, from a backup, for replay");
  command->footer(
      "Example:\n  gpuyard backup lab.backup\n"
      "  gpuyard simulate capture lab.backup > snapshot.json\n"
      "  gpuyard simulate replay snapshot.json");
  auto backup = std::make_shared<std::string>();
  command->add_option("BACKUP", *backup, "a file made by gpuyard backup")->required();
  command->callback([backup, &exit_code] {
    Result<std::string> capture = CaptureOf(*backup);
    if (capture) fmt::print("{}\n", *capture);
    exit_code = Finish(capture ? Status() : Fail(capture.error()));
  });
}

void AddExport(CLI::App& simulate, ExitCode& exit_code) {
  CLI::App* command = simulate.add_subcommand(
      "export", "What ran on a server, from a backup, as a trace and a cluster for jobs");
  command->footer(
      "Example:\n  gpuyard simulate export lab.backup --trace jobs.csv --cluster cluster.json\n"
      "  gpuyard simulate jobs --trace jobs.csv --cluster cluster.json --policy nth-gpu");
  auto backup = std::make_shared<std::string>();
  auto jobs = std::make_shared<std::string>("jobs.csv");
  auto cluster = std::make_shared<std::string>("cluster.json");
  command->add_option("BACKUP", *backup, "a file made by gpuyard backup")->required();
  command->add_option("--trace", *jobs, "where the jobs go")->type_name("FILE");
  command->add_option("--cluster", *cluster, "where the cluster goes")->type_name("FILE");
  command->callback([backup, jobs, cluster, &exit_code] {
    exit_code = Finish(WriteTrace(*backup, *jobs, *cluster));
  });
}

}  // namespace

void AddSimulate(CLI::App& app, ExitCode& exit_code) {
  CLI::App* simulate = app.add_subcommand("simulate", "Try the scheduler on a trace, offline");
  simulate->require_subcommand(1);
  AddSimulateServer(*simulate, exit_code);
  AddOpenb(*simulate, exit_code);
  AddJobs(*simulate, exit_code);
  AddReplay(*simulate, exit_code);
  AddCapture(*simulate, exit_code);
  AddExport(*simulate, exit_code);
}

}  // namespace yard::app

#include "app/simulate.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "sim/openb.h"
#include "sim/openb_report.h"

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
                          sim::RunOpenb(trace, *policy, arguments.seed, SystemClock())};
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

}  // namespace

void AddSimulate(CLI::App& app, ExitCode& exit_code) {
  CLI::App* simulate = app.add_subcommand("simulate", "Try the scheduler on a trace, offline");
  simulate->require_subcommand(1);
  AddOpenb(*simulate, exit_code);
}

}  // namespace yard::app

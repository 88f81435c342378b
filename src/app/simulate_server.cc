#include "app/simulate_server.h"

#include <cstdint>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/log.h"
#include "serversim/world.h"

namespace yard::app {
namespace {

using cli::ExitCode;

struct Arguments {
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;
  std::int64_t events = 1000;
};

void Print(std::uint64_t seed, const serversim::Report& report) {
  fmt::print(
      "seed {}: {} events, {} workloads, {} attempts, {} crashes, {} failed commits, "
      "{} messages lost, {} repeated, journal of {} rows {:016x}\n",
      seed, report.events, report.submitted, report.attempts, report.crashes, report.failed_commits,
      report.lost_messages, report.repeated_messages, report.rows, report.digest);
}

ExitCode Run(const Arguments& arguments) {
  log::SwitchOff();  // every simulated fault would be logged
  ExitCode exit_code = ExitCode::kOk;
  for (std::uint64_t seed = arguments.seed; seed < arguments.seed + arguments.seeds; ++seed) {
    serversim::Report report = serversim::Simulate({.seed = seed, .events = arguments.events});
    Print(seed, report);
    if (report.broken.empty()) continue;
    exit_code = ExitCode::kError;
    fmt::print("  broken after event {}: {}\n", report.events, report.broken);
  }
  return exit_code;
}

}  // namespace

void AddSimulateServer(CLI::App& simulate, ExitCode& exit_code) {
  CLI::App* command = simulate.add_subcommand(
      "server", "Run a whole server in simulated time with crashes, lost messages and full disks");
  command->footer(
      "Examples:\n  gpuyard simulate server --seed 7 --events 5000\n"
      "  gpuyard simulate server --seeds 1000   (each with another seed; exit 1 if one breaks)");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("--seed", arguments->seed, "the first seed")->capture_default_str();
  command->add_option("--seeds", arguments->seeds, "how many runs, one seed after the other")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--events", arguments->events, "acts of people and faults in one run")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace yard::app

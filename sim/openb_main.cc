// Runs one policy over one openb trace and prints what stays unallocated.
#include <cstdio>
#include <fstream>
#include <sstream>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "sim/openb.h"
#include "sim/openb_report.h"

namespace {

struct Options {
  std::string nodes;
  std::string pods;
  std::string policy = "gpuyard";
  std::uint64_t seed = 42;
  std::string output = "table";
};

yard::Result<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return yard::Fail(yard::Code::kNotFound, fmt::format("cannot read {}", path));
  }
  return std::move(text).str();
}

yard::Status Run(const Options& options) {
  const auto policy = yard::sim::ParseOpenbPolicy(options.policy);
  if (!policy) {
    return yard::Fail(yard::Code::kInvalid, fmt::format("no policy \"{}\"", options.policy));
  }
  YARD_ASSIGN(const auto nodes, ReadFile(options.nodes));
  YARD_ASSIGN(const auto pods, ReadFile(options.pods));
  YARD_ASSIGN(const auto trace, yard::sim::ParseOpenbTrace(nodes, pods));
  const yard::sim::OpenbRun run{
      *policy, options.seed,
      yard::sim::RunOpenb(trace, *policy, options.seed, yard::SystemClock())};
  const bool json = options.output == "json";
  fmt::print("{}", json ? yard::sim::FormatJson(run) : yard::sim::FormatTable(run));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Placement quality on an openb trace");
  app.add_option("--nodes", options.nodes, "node list (CSV)")->required();
  app.add_option("--pods", options.pods, "pod list (CSV)")->required();
  app.add_option("--policy", options.policy, "random, bestfit, fgd, gpuyard or gpuyard-move")
      ->check(CLI::IsMember({"random", "bestfit", "fgd", "gpuyard", "gpuyard-move"}));
  app.add_option("--seed", options.seed, "order of arrivals and nodes");
  app.add_option("-o,--output", options.output, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  CLI11_PARSE(app, argc, argv);
  const yard::Status status = Run(options);
  if (status) return 0;
  fmt::print(stderr, "openb_sim: {}\n", status.error().message);
  return 1;
}

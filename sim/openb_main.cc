// Runs one policy over one openb trace and prints what stays unallocated.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "sim/openb.h"

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

void Print(const Options& options, const yard::sim::OpenbResult& r) {
  if (options.output == "json") {
    fmt::print(
        "{{\"policy\":\"{}\",\"seed\":{},\"unallocated_gpu_pct_at_100\":{:.4f},"
        "\"unallocated_gpu_pct_at_130\":{:.4f},\"moves\":{},\"decisions_per_s\":{:.0f},"
        "\"arrivals\":{},\"dropped\":{}}}\n",
        options.policy, options.seed, r.unallocated_gpu_pct_at_100, r.unallocated_gpu_pct_at_130,
        r.moves, r.decisions_per_s, r.arrivals, r.dropped);
    return;
  }
  fmt::print("{:<13} {:>5} {:>9} {:>9} {:>6} {:>12}\n", "POLICY", "SEED", "AT 100 %", "AT 130 %",
             "MOVES", "DECISIONS/S");
  fmt::print("{:<13} {:>5} {:>9.2f} {:>9.2f} {:>6} {:>12.0f}\n", options.policy, options.seed,
             r.unallocated_gpu_pct_at_100, r.unallocated_gpu_pct_at_130, r.moves,
             r.decisions_per_s);
}

yard::Status Run(const Options& options) {
  const auto policy = yard::sim::ParseOpenbPolicy(options.policy);
  if (!policy) {
    return yard::Fail(yard::Code::kInvalid, fmt::format("no policy \"{}\"", options.policy));
  }
  YARD_ASSIGN(const auto nodes, ReadFile(options.nodes));
  YARD_ASSIGN(const auto pods, ReadFile(options.pods));
  YARD_ASSIGN(const auto trace, yard::sim::ParseOpenbTrace(nodes, pods));
  Print(options, yard::sim::RunOpenb(trace, *policy, options.seed, yard::SystemClock()));
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

// Prints how long tasks in containers take to run and to end through our engine, in milliseconds;
// tests/containers/measure puts that beside the daemon's own command line.
#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "tests/containers/lab.h"
#include "tests/containers/workbench.h"

namespace yard::lab {
namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string Spread(std::vector<double> values) {
  std::ranges::sort(values);
  return fmt::format("p50 {:.0f} ms, min {:.0f} ms, max {:.0f} ms", values[values.size() / 2],
                     values.front(), values.back());
}

TEST(Latency, OfTenTasks) {
  Workbench bench;
  std::vector<double> running;
  std::vector<double> ended;
  for (int i = 0; i < 10; ++i) {
    engine::TaskSpec spec = bench.Shell("exec sleep 0.05");
    const auto start = Clock::now();
    const engine::TaskKey key = bench.Launch(spec);
    bench.AwaitState(key, engine::TaskState::kRunning);
    running.push_back(Since(start));
    bench.AwaitEnd(key);
    ended.push_back(Since(start));
  }
  fmt::print("gpuyard: launch to running {}\ngpuyard: launch to end {}\n", Spread(running),
             Spread(ended));
}

}  // namespace
}  // namespace yard::lab

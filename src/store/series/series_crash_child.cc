// Sixteen writers append for ever and write "WRITER STEP" to standard output for each acknowledged
// batch; ends when it is killed. Each batch has one point in each of three series of its writer, so
// that a half stored batch shows. See series_crash_test.cc.
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "store/series/series_store.h"

namespace {

using yard::MetricPoint;
using yard::RunKey;
using yard::store::SeriesBatch;
using yard::store::SeriesStore;

constexpr int kWriters = 16;

void WriteFor(SeriesStore& store, int writer) {
  RunKey run{"run-" + std::to_string(writer)};
  auto latest = store.Latest({run, "a"});
  if (!latest) ::_exit(4);
  std::int64_t step = *latest ? (*latest)->step + 1 : 0;
  for (;; ++step) {
    // The time is of this life: a point that came back and was written again would be two.
    MetricPoint point{.step = step, .time = yard::Time{::getpid()}, .value = 0.5 * writer};
    SeriesBatch batch{.run = run, .series = {{"a", {point}}, {"b", {point}}, {"c", {point}}}};
    if (!store.Append(std::move(batch))) ::_exit(5);
    std::string line = std::to_string(writer) + " " + std::to_string(step) + "\n";
    if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) ::_exit(6);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto store = yard::store::OpenSeries(argv[1], {.memory_points = 1500});
  if (!store) return 3;
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&store, writer] { WriteFor(**store, writer); });
  }
}

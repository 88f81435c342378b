#include "bench/tune/speed.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/tune/serve.h"
#include "tune/study.h"

namespace yard::bench {
namespace {

// Processor time: the library has one thread, and the machine may be busy with other work.
double Milliseconds(std::clock_t since) {
  return 1000.0 * static_cast<double>(std::clock() - since) / CLOCKS_PER_SEC;
}

tune::Space MakeSpace(std::string_view name) {
  tune::Space::Spec spec;
  for (int i = 0; i < 10; ++i) {
    tune::Domain domain = tune::FloatDomain{-5, 5};
    if (name == "mix" && i >= 4) domain = tune::FloatDomain{1e-5, 1, tune::Scale::kLog};
    if (name == "mix" && i >= 6) domain = tune::IntDomain{1, 64};
    if (name == "mix" && i >= 8) domain = tune::CategoricalDomain{{"a", "b", "c", "d"}};
    spec.parameters.push_back({fmt::format("x{}", i), domain});
  }
  return tune::Space::Make(spec).value();
}

double Sphere(const tune::Space& space, const tune::Configuration& configuration) {
  double sum = 0;
  for (double u : space.Encode(configuration)) sum += (u - 0.5) * (u - 0.5);
  return sum;
}

}  // namespace

int Speed(std::string_view sampler, std::string_view space_name, int trials, int rounds) {
  tune::Space space = MakeSpace(space_name);
  tune::StudyOptions options;
  options.sampler = SamplerNamed(sampler).value();
  tune::Study study = tune::Study::Make(space, options).value();
  tune::Rng rng(1);
  std::clock_t start = std::clock();
  for (int i = 0; i < trials; ++i) {
    tune::Configuration c = space.Decode(space.RandomPoint(rng));
    if (!study.Add(c, {.values = {Sphere(space, c)}})) return 1;
  }
  double insert = Milliseconds(start);
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    start = std::clock();
    tune::Trial trial = study.Ask();
    times.push_back(Milliseconds(start));
    if (!study.Tell(trial.number, {.values = {Sphere(space, trial.configuration)}})) return 1;
  }
  double mean = 0;
  // The first suggestion builds what later ones keep: it is the maximum, not the median.
  for (double t : times) mean += t / static_cast<double>(times.size());
  std::ranges::sort(times);
  std::printf("%s %s %d median %.3f mean %.3f max %.3f insert %.1f\n", std::string(sampler).c_str(),
              std::string(space_name).c_str(), trials, times[times.size() / 2], mean, times.back(),
              insert);
  return 0;
}

}  // namespace yard::bench

#include "sim/openb_synthetic.h"

#include <algorithm>
#include <array>

#include "base/random.h"

namespace yard::sim {
namespace {

using sched::frag::NodeShape;
using sched::frag::TaskShape;

struct NodeKind {
  std::int64_t cpu_milli;
  std::int64_t memory_mib;
  std::int16_t gpus;
  std::int16_t model;
  std::uint64_t percent;
};

constexpr std::array<NodeKind, 4> kKinds = {{
    {96'000, 393'216, 8, 0, 50},
    {104'000, 524'288, 2, 1, 30},
    {32'000, 262'144, 4, 2, 10},
    {128'000, 786'432, 8, 2, 10},
}};

constexpr std::array<std::int16_t, 8> kFractions = {810, 470, 470, 650, 320, 230, 160, 550};
constexpr std::array<std::int64_t, 4> kCpuPercent = {30, 80, 110, 160};  // of the mean per GPU

NodeShape MakeNode(SeededRandom& random) {
  std::uint64_t ticket = random.Below(100);
  const NodeKind* kind = kKinds.data();
  for (; ticket >= kind->percent; ++kind) ticket -= kind->percent;
  NodeShape node{kind->cpu_milli, kind->memory_mib, kind->model, kind->gpus, {}};
  std::fill_n(node.gpu_milli.begin(), kind->gpus, sched::frag::kWholeGpuMilli);
  return node;
}

TaskShape MakeTask(const SyntheticSpec& spec, SeededRandom& random) {
  const auto percent = [&] { return static_cast<int>(random.Below(100)); };
  TaskShape task;
  task.memory_mib = 8192;
  int ticket = percent();
  if (ticket < spec.cpu_only_percent) {
    task.cpu_milli = 4000 * static_cast<std::int64_t>(1 + random.Below(6));
    return task;
  }
  ticket = percent();
  task.gpu_count = 1;
  task.gpu_milli = sched::frag::kWholeGpuMilli;
  if (ticket < spec.fraction_percent) {
    task.gpu_milli = kFractions[random.Below(kFractions.size())];
  } else if (ticket < spec.fraction_percent + spec.several_percent) {
    task.gpu_count = static_cast<std::int16_t>(2 << random.Below(3));
  }
  const std::int64_t heavy = kCpuPercent[random.Below(kCpuPercent.size())];
  task.cpu_milli = spec.cpu_milli_per_gpu * heavy / 100 * task.gpu_count;
  if (percent() < spec.constrained_percent) task.models = std::uint64_t{1} << random.Below(3);
  return task;
}

}  // namespace

OpenbTrace MakeSyntheticTrace(const SyntheticSpec& spec, std::uint64_t seed) {
  SeededRandom random(seed);
  OpenbTrace trace;
  std::int64_t capacity = 0;
  for (int i = 0; i < spec.nodes; ++i) {
    trace.nodes.push_back(MakeNode(random));
    capacity += trace.nodes.back().FreeMilli();
  }
  for (std::int64_t asked = 0; asked < capacity;) {
    trace.tasks.push_back(MakeTask(spec, random));
    asked += trace.tasks.back().TotalMilli();
  }
  return trace;
}

}  // namespace yard::sim

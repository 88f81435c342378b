#include "sched/place/worth.h"

#include <algorithm>
#include <bit>

namespace yard::sched {
namespace {

constexpr int kCoverPercent = 98;

std::int16_t LightModel(ModelIndex model) {
  return static_cast<std::int16_t>(std::clamp(model.value + 1, 0, frag::kMaxModels - 1));
}

frag::NodeShape LightNode(const NodeTable& nodes, NodeIndex node) {
  const NodeFree& free = nodes.At(node);
  frag::NodeShape light;
  light.cpu_milli = std::max<std::int64_t>(free.cpu, 0);
  light.memory_mib = std::max<std::int64_t>(free.memory, 0);
  light.model = LightModel(nodes.Class(free.node_class).model);
  light.gpu_count = free.gpu_count;
  std::ranges::copy(nodes.Gpus(node), light.gpu_milli.begin());
  return light;
}

}  // namespace

Worth::Worth(const Snapshot& snapshot) {
  for (const Node& node : snapshot.nodes) {
    for (const Gpu& gpu : node.gpus) {
      supply_[static_cast<std::size_t>(LightModel(node.model))] += gpu.usable.value;
    }
  }
}

frag::TaskShape Worth::Light(const Snapshot& snapshot, const TaskShape& shape) const {
  frag::TaskShape light{shape.cpu.value, shape.memory.value,
                        static_cast<std::int16_t>(shape.gpu_count), 0, 0};
  std::int64_t each = shape.gpu_count > 0 ? shape.gpu_each.value : 0;
  if (shape.gpu_memory_each.value > 0) {
    std::int64_t largest = 1;
    for (const GpuModel& model : snapshot.models) largest = std::max(largest, model.memory.value);
    each =
        std::clamp<std::int64_t>(shape.gpu_memory_each.value * kWholeGpu / largest, 1, kWholeGpu);
  }
  light.gpu_milli = static_cast<std::int16_t>(each);
  for (ModelIndex model : shape.models) light.models |= std::uint64_t{1} << LightModel(model);
  return light;
}

void Worth::Count(ShapeIndex shape, std::int64_t change) {
  const auto s = static_cast<std::size_t>(shape.value);
  if (s >= counts_.size()) counts_.resize(s + 1);
  counts_[s] += change;
}

void Worth::Prepare(const Snapshot& snapshot) {
  for (std::size_t s = light_.size(); s < snapshot.shapes.size(); ++s) {
    light_.push_back(Light(snapshot, snapshot.shapes[s]));
  }
  std::map<ShapeIndex, std::int64_t> rounded;
  bool fractional = false;
  for (std::size_t s = 0; s < counts_.size(); ++s) {
    if (counts_[s] <= 0) continue;
    const auto power = std::bit_floor(static_cast<std::uint64_t>(counts_[s]));
    rounded[ShapeIndex(static_cast<std::int32_t>(s))] = static_cast<std::int64_t>(power);
    fractional = fractional || (light_[s].gpu_milli > 0 && light_[s].gpu_milli < kWholeGpu);
  }
  fractional_ = fractional;
  if (!fractional_ || (outlook_ && rounded == rounded_)) return;
  std::vector<frag::WeightedShape> seen;
  for (const auto& [shape, weight] : rounded) {
    seen.push_back({light_[static_cast<std::size_t>(shape.value)], weight});
  }
  outlook_ = std::make_unique<frag::Outlook>(frag::TypicalShapes(seen, kCoverPercent), supply_);
  rounded_ = std::move(rounded);
  scores_.clear();
}

std::optional<Worth::Score> Worth::Of(const NodeTable& nodes, NodeIndex node,
                                      ShapeIndex shape) const {
  const auto s = static_cast<std::size_t>(shape.value);
  if (s >= scores_.size()) scores_.resize(s + 1);
  if (scores_[s].empty()) scores_[s].resize(nodes.node_count());
  Remembered& known = scores_[s][static_cast<std::size_t>(node.value)];
  if (known.version == nodes.At(node).version) return known.score;
  frag::TaskShape task = light_[s];
  task.gpu_milli = nodes.Fit(shape, nodes.At(node).node_class).each;
  task.models = 0;
  const auto spot = frag::BestSpot(*outlook_, LightNode(nodes, node), task);
  known.version = nodes.At(node).version;
  known.score = spot ? std::optional(Score{spot->loss, spot->gpus}) : std::nullopt;
  return known.score;
}

}  // namespace yard::sched

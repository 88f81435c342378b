#include "api/nodes/nodes_now.h"

#include <optional>
#include <string_view>

namespace yard::api {
namespace {

using engine::GpuState;

constexpr double kBytesPerMebibyte = 1024.0 * 1024.0;
constexpr std::string_view kPerGpu = "_PER_GPU";

// A number of one GPU, and how much it weighs in the mean of all; sums have no weight.
struct Sample {
  double value = 0;
  double weight = 0;
};

std::optional<Sample> SampleOf(std::string_view kind, const GpuState& gpu) {
  if (gpu.declared) return std::nullopt;
  if (kind == "GPU_UTILIZATION" && gpu.busy_percent)
    return Sample{static_cast<double>(*gpu.busy_percent), 1};
  if (!gpu.used) return std::nullopt;
  const auto used = static_cast<double>(gpu.used->value);
  const auto memory = static_cast<double>(gpu.memory.value);
  if (kind == "GPU_MEMORY_USAGE_BYTES") return Sample{used * kBytesPerMebibyte, 0};
  if (kind == "GPU_MEMORY_UTILIZATION" && memory > 0) return Sample{100 * used / memory, memory};
  return std::nullopt;
}

wire::Measurement OfAll(std::string type, const std::vector<GpuState>& gpus, Time now) {
  wire::Measurement all{.type = std::move(type)};
  double sum = 0, weighted = 0, weights = 0;
  bool measured = false;
  for (const GpuState& gpu : gpus) {
    const std::optional<Sample> sample = SampleOf(all.type, gpu);
    if (!sample) continue;
    measured = true;
    sum += sample->value;
    weighted += sample->value * sample->weight;
    weights += sample->weight;
  }
  if (measured) all.values.emplace_back(now, weights > 0 ? weighted / weights : sum);
  return all;
}

}  // namespace

std::vector<wire::Measurement> MeasureNow(const std::string& type,
                                          const std::vector<GpuState>& gpus, Time now) {
  if (!type.ends_with(kPerGpu)) return {OfAll(type, gpus, now)};
  const std::string_view kind = std::string_view(type).substr(0, type.size() - kPerGpu.size());
  std::vector<wire::Measurement> each;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (const std::optional<Sample> sample = SampleOf(kind, gpus[i]))
      each.push_back({type, {{now, sample->value}}, {{"gpu", std::to_string(i)}}});
  }
  if (each.empty()) each.push_back({.type = type});
  return each;
}

}  // namespace yard::api

// The GPUs' readings for Prometheus, in base units.
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "api/nodes/gpu_views.h"

namespace yard::api {
namespace {

using engine::GpuHealth;
using engine::GpuState;
using Value = std::optional<double>;

constexpr double kBytesPerMebibyte = 1024.0 * 1024.0;

Value BytesOf(Mebibytes size) {
  return static_cast<double>(size.value) * kBytesPerMebibyte;
}

// One number of the GPU's health, in other units.
template <std::optional<std::int64_t> GpuHealth::* kField, std::int64_t kTimes = 1,
          std::int64_t kParts = 1>
Value Of(const GpuState& gpu) {
  if (!gpu.health || !((*gpu.health).*kField)) return std::nullopt;
  return static_cast<double>(*((*gpu.health).*kField)) * kTimes / kParts;
}

Value Busy(const GpuState& gpu) {
  return gpu.busy_percent ? Value(*gpu.busy_percent / 100.0) : std::nullopt;
}

// A number of every GPU. Series of one name stand together.
struct Series {
  std::string_view name;
  std::string_view type;
  std::string_view help;
  Value (*value)(const GpuState& gpu);
  std::string_view label = "";  // of this series alone
};

constexpr std::string_view kGauge = "gauge";
constexpr std::string_view kCounter = "counter";

constexpr Series kSeries[] = {
    {"gpuyard_gpu_healthy", kGauge, "1, or 0 while the GPU has a fault and takes no work.",
     [](const GpuState& gpu) { return Value(gpu.fault.empty() ? 1 : 0); }},
    {"gpuyard_gpu_busy_ratio", kGauge, "Part of the time in which some kernel ran.", Busy},
    {"gpuyard_gpu_memory_bytes", kGauge, "Memory that programs can use.",
     [](const GpuState& gpu) { return BytesOf(gpu.memory); }},
    {"gpuyard_gpu_memory_used_bytes", kGauge, "Memory in use by anybody.",
     [](const GpuState& gpu) { return gpu.used ? BytesOf(*gpu.used) : std::nullopt; }},
    {"gpuyard_gpu_memory_foreign_bytes", kGauge, "Memory held by processes that are no tasks.",
     [](const GpuState& gpu) { return gpu.health ? BytesOf(gpu.foreign) : std::nullopt; }},
    {"gpuyard_gpu_processes", kGauge, "Processes that hold memory of the GPU.",
     Of<&GpuHealth::processes>},
    {"gpuyard_gpu_temperature_celsius", kGauge, "Temperature of the GPU.",
     Of<&GpuHealth::temperature_c>},
    {"gpuyard_gpu_power_watts", kGauge, "Power drawn.", Of<&GpuHealth::power_mw, 1, 1000>},
    {"gpuyard_gpu_power_limit_watts", kGauge, "Power it may draw.",
     Of<&GpuHealth::power_limit_mw, 1, 1000>},
    {"gpuyard_gpu_energy_joules_total", kCounter, "Energy since the driver was loaded.",
     Of<&GpuHealth::energy_mj, 1, 1000>},
    {"gpuyard_gpu_sm_clock_hertz", kGauge, "Clock of the multiprocessors.",
     Of<&GpuHealth::sm_clock_mhz, 1'000'000>},
    {"gpuyard_gpu_sm_clock_max_hertz", kGauge, "The most that clock can be.",
     Of<&GpuHealth::sm_clock_max_mhz, 1'000'000>},
    {"gpuyard_gpu_memory_clock_hertz", kGauge, "Clock of the memory.",
     Of<&GpuHealth::memory_clock_mhz, 1'000'000>},
    {"gpuyard_gpu_ecc_errors_total", kCounter, "Memory errors since the driver was loaded.",
     Of<&GpuHealth::ecc_corrected>, R"(,kind="corrected")"},
    {"gpuyard_gpu_ecc_errors_total", kCounter, "Memory errors since the driver was loaded.",
     Of<&GpuHealth::ecc_uncorrected>, R"(,kind="uncorrected")"},
    {"gpuyard_gpu_remapped_rows", kGauge, "Rows of memory that broke and were replaced.",
     Of<&GpuHealth::remapped_rows>},
    {"gpuyard_gpu_xids_total", kCounter, "Errors the GPU reported since the server started.",
     Of<&GpuHealth::xids>},
};

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string LabelsOf(const PlacedGpu& placed) {
  return fmt::format(R"(node="{}",gpu="{}",model="{}")", Escaped(placed.node),
                     Escaped(placed.gpu.uuid), Escaped(placed.gpu.model));
}

void AddHead(std::string& out, const Series& series) {
  out += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", series.name, series.help, series.type);
}

}  // namespace

void WriteGpuMetrics(std::string& out, const std::vector<PlacedGpu>& gpus) {
  std::string_view headed;
  for (const Series& series : kSeries) {
    for (const PlacedGpu& placed : gpus) {
      const Value value = placed.gpu.declared ? std::nullopt : series.value(placed.gpu);
      if (!value) continue;
      if (headed != series.name) AddHead(out, series);
      headed = series.name;
      out += fmt::format("{}{{{}{}}} {}\n", series.name, LabelsOf(placed), series.label, *value);
    }
  }
}

void WriteWorkloadMetrics(std::string& out, const std::vector<WorkloadGpuUse>& uses) {
  constexpr Series kMemory{"gpuyard_workload_gpu_memory_bytes", kGauge,
                           "GPU memory that the workload's processes hold.", nullptr};
  constexpr Series kBusy{"gpuyard_workload_gpu_busy_seconds_total", kCounter,
                         "GPU time that the workload used.", nullptr};
  auto labels = [](const WorkloadGpuUse& use) {
    return fmt::format(R"(project="{}",workload="{}")", Escaped(use.project),
                       Escaped(use.workload));
  };
  if (!uses.empty()) AddHead(out, kMemory);
  for (const WorkloadGpuUse& use : uses)
    if (use.memory)
      out += fmt::format("{}{{{}}} {}\n", kMemory.name, labels(use), use.memory->value << 20);
  if (!uses.empty()) AddHead(out, kBusy);
  for (const WorkloadGpuUse& use : uses)
    out += fmt::format("{}{{{}}} {}\n", kBusy.name, labels(use),
                       static_cast<double>(use.busy.value) / 1e9);
}

}  // namespace yard::api

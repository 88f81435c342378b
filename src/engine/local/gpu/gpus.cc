#include "engine/local/gpu/gpus.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::engine {
namespace {

constexpr std::chrono::milliseconds kPatience{2000};

Mebibytes ToMebibytes(std::uint64_t bytes) {
  return Mebibytes(static_cast<std::int64_t>(bytes >> 20));
}

bool Contains(std::span<const int> pids, int pid) {
  return std::ranges::find(pids, pid) != pids.end();
}

std::string FaultOf(const slice::GpuReading& reading, const std::string& broken) {
  if (!broken.empty()) return broken;
  if (!reading.memory) return "NVML does not answer for it";
  if (reading.ecc_uncorrected.value_or(0) > 0)
    return fmt::format("{} uncorrected memory errors (ECC)", *reading.ecc_uncorrected);
  return {};
}

template <class T>
std::optional<std::int64_t> Number(const std::optional<T>& value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

GpuHealth HealthOf(const slice::GpuReading& reading, const XidReports& reports) {
  GpuHealth health;
  health.temperature_c = Number(reading.temperature_c);
  health.power_mw = Number(reading.power_mw);
  health.power_limit_mw = Number(reading.power_limit_mw);
  health.energy_mj = Number(reading.energy_mj);
  health.sm_clock_mhz = Number(reading.sm_clock_mhz);
  health.sm_clock_max_mhz = Number(reading.sm_clock_max_mhz);
  health.memory_clock_mhz = Number(reading.memory_clock_mhz);
  if (reading.clock_reasons) health.slowed_by = slice::SlowdownsIn(*reading.clock_reasons);
  health.ecc_corrected = Number(reading.ecc_corrected);
  health.ecc_uncorrected = Number(reading.ecc_uncorrected);
  health.remapped_rows = Number(reading.remapped_rows);
  if (reports.heard) health.xids = reports.count;
  health.last_xid = reports.last;
  if (reading.processes) health.processes = static_cast<std::int64_t>(reading.processes->size());
  return health;
}

std::vector<GpuLink> LinksOf(const std::vector<slice::Neighbour>& neighbours) {
  std::vector<GpuLink> links;
  links.reserve(neighbours.size());
  for (const slice::Neighbour& neighbour : neighbours)
    links.push_back({neighbour.uuid, neighbour.closeness, Number(neighbour.nvlinks)});
  return links;
}

template <class Seen>
GpuState StateOf(const Seen& seen, const std::function<bool(int pid)>& is_foreign) {
  const auto& [identity, reading, neighbours, reports] = seen;
  GpuState state;
  state.uuid = identity.uuid;
  state.model = identity.name;
  state.mig = identity.mig_instance;
  state.pci = identity.pci_bus_id;
  state.numa_node = Number(identity.numa_node);
  state.fault = FaultOf(reading, reports.broken);
  state.health = HealthOf(reading, reports);
  state.links = LinksOf(neighbours);
  if (reading.memory) {
    // What the driver keeps for itself no program gets: two halves of the rest fit side by side.
    const std::uint64_t total = reading.memory->total;
    state.memory = ToMebibytes(total - std::min(total, reading.memory->reserved));
    state.used = ToMebibytes(reading.memory->used);
  }
  if (reading.gpu_percent) state.busy_percent = static_cast<std::int32_t>(*reading.gpu_percent);
  if (!reading.processes) return state;
  for (const auto& [pid, bytes] : *reading.processes)
    if (is_foreign(pid)) state.foreign += ToMebibytes(bytes);
  return state;
}

// Of a whole GPU all that goes on there; of a part what the task's own processes do, where the
// driver tells.
std::optional<std::int32_t> BusyOf(const GpuGrant& grant, std::span<const int> pids,
                                   const slice::GpuReading& reading) {
  constexpr std::int64_t kWhole = 1000;
  if (grant.part.value >= kWhole || !reading.busy_percents)
    return reading.gpu_percent.transform([](unsigned n) { return static_cast<std::int32_t>(n); });
  std::int32_t sum = 0;
  for (const auto& [pid, percent] : *reading.busy_percents)
    if (Contains(pids, pid)) sum += static_cast<std::int32_t>(percent);
  return std::min(sum, 100);
}

// What was seen earlier is no measurement.
void MarkHanging(GpuState& state) {
  state.fault = "NVML hangs";
  state.busy_percent.reset();
  state.used.reset();
  state.health.reset();
}

bool Nobody(int) {
  return false;
}

bool IsDeclared(const GpuGrant& grant) {
  return grant.uuid.starts_with("GPU-declared-");
}

}  // namespace

Gpus::Gpus(const LocalOptions& options, const std::string& host) : watchdog_(kPatience) {
  if (Result<slice::Nvml> opened = slice::Nvml::Open(options.nvml)) nvml_ = *opened;
  if (nvml_) record_ = std::make_shared<Record>(Record{slice::XidWatch(*nvml_)});
  for (int i = 0; i < options.declared.count; ++i) {
    GpuState gpu;
    gpu.uuid = fmt::format("GPU-declared-{}-{}", host, i);
    gpu.model = options.declared.model;
    gpu.memory = options.declared.memory;
    gpu.declared = true;
    declared_.push_back(std::move(gpu));
  }
}

Gpus::SeenList Gpus::Look(const slice::Nvml& nvml, Record& record) {
  for (const slice::Xid& xid : record.watch.Poll()) {
    XidReports& reports = record.reports[xid.gpu];
    ++reports.count;
    reports.last = slice::Describe(xid.code);
    if (slice::IsFault(xid.code)) reports.broken = reports.last;  // stays: it needs a reset
  }
  const std::vector<slice::NvmlDevice> devices = nvml.Devices();
  std::vector<std::string> uuids;
  uuids.reserve(devices.size());
  for (const slice::NvmlDevice& device : devices) uuids.push_back(device.uuid);
  if (uuids != record.known) {
    record.topology = slice::ReadTopology(nvml, devices);
    record.known = std::move(uuids);
  }
  SeenList seen;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    void* const gpu = devices[i].parent ? devices[i].parent : devices[i].handle;
    XidReports& reports = record.reports[gpu];
    reports.heard = record.watch.Hears(gpu);
    seen.push_back({slice::ReadIdentity(nvml, devices[i]), slice::ReadGpu(nvml, devices[i]),
                    record.topology[i], reports});
  }
  return seen;
}

std::optional<Gpus::SeenList> Gpus::Ask() {
  return watchdog_.Ask([nvml = *nvml_, record = record_] { return Look(nvml, *record); });
}

// Whoever is in both readings lives while ours are listed the second time, so it is listed if it
// is one of them.
std::vector<GpuState> Gpus::Read(const ListProcesses& ours) {
  if (!nvml_) return declared_;
  const std::vector<int> listed = ours();
  std::vector<int> strangers;
  std::vector<GpuState> states = ReadOnce([&](int pid) {
    if (Contains(listed, pid)) return false;
    strangers.push_back(pid);
    return true;
  });
  if (strangers.empty()) return states;
  const std::vector<int> listed_again = ours();
  std::erase_if(strangers, [&](int pid) { return Contains(listed_again, pid); });
  return ReadOnce([&](int pid) { return Contains(strangers, pid); });
}

std::vector<GpuState> Gpus::ReadOnce(const IsForeign& is_foreign) {
  std::vector<GpuState> states;
  if (nvml_) {
    std::lock_guard hold(mutex_);
    std::optional<SeenList> seen = Ask();
    if (seen) last_ = std::move(*seen);
    for (const Seen& gpu : last_) states.push_back(StateOf(gpu, is_foreign));
    if (!seen) std::ranges::for_each(states, MarkHanging);
  }
  states.insert(states.end(), declared_.begin(), declared_.end());
  return states;
}

std::vector<Variable> Gpus::VariablesFor(std::span<const GpuGrant> grants) const {
  std::vector<std::string> seen;
  std::vector<std::string> declared;
  for (const GpuGrant& grant : grants) {
    if (IsDeclared(grant)) {
      declared.push_back(grant.uuid.substr(grant.uuid.rfind('-') + 1));
    } else {
      seen.push_back(grant.uuid);
    }
  }
  const std::string all = Join(seen.empty() ? declared : seen, ",");
  std::vector<Variable> variables;
  // Without a grant no GPU may be seen; "void" is how the container runtimes say that.
  variables.push_back({"CUDA_VISIBLE_DEVICES", all});
  variables.push_back({"NVIDIA_VISIBLE_DEVICES", all.empty() ? "void" : all});
  if (!declared.empty()) variables.push_back({"GPUYARD_DECLARED_GPUS", Join(declared, ",")});
  return variables;
}

Mebibytes Gpus::MemoryOf(const std::string& uuid) {
  for (const GpuState& gpu : ReadOnce(Nobody))
    if (gpu.uuid == uuid) return gpu.memory;
  return {};
}

std::vector<std::string> Gpus::AddressesOf(std::span<const GpuGrant> grants) {
  std::vector<std::string> addresses;
  const std::vector<GpuState> known = ReadOnce(Nobody);
  for (const GpuGrant& grant : grants) {
    const auto gpu = std::ranges::find(known, grant.uuid, &GpuState::uuid);
    addresses.push_back(gpu == known.end() || gpu->mig ? std::string() : gpu->pci);
  }
  return addresses;
}

std::vector<GpuNode> Gpus::NodesOf(std::span<const GpuGrant> grants) {
  if (!nvml_ || grants.empty()) return {};
  std::lock_guard hold(mutex_);
  auto find = [&](const GpuGrant& grant) {
    return std::ranges::find(last_, grant.uuid, [](const Seen& gpu) { return gpu.identity.uuid; });
  };
  // Nodes stay the same as long as the driver is loaded.
  const bool all_seen =
      std::ranges::all_of(grants, [&](const GpuGrant& one) { return find(one) != last_.end(); });
  if (!all_seen) {
    if (std::optional<SeenList> seen = Ask()) last_ = std::move(*seen);
  }
  std::vector<GpuNode> nodes;
  for (const GpuGrant& grant : grants) {
    const auto gpu = find(grant);
    if (gpu == last_.end() || !gpu->identity.minor_number) continue;
    nodes.push_back(
        {*gpu->identity.minor_number, gpu->identity.gpu_instance, gpu->identity.compute_instance});
  }
  return nodes;
}

std::optional<std::map<int, Mebibytes>> Gpus::HoldersAmong(std::span<const int> pids,
                                                           std::span<const GpuGrant> grants) {
  if (!nvml_) return std::nullopt;
  std::lock_guard hold(mutex_);
  std::optional<SeenList> seen = Ask();
  if (!seen) return std::nullopt;
  last_ = std::move(*seen);
  std::map<int, Mebibytes> holders;
  for (const Seen& gpu : last_) {
    if (std::ranges::find(grants, gpu.identity.uuid, &GpuGrant::uuid) == grants.end()) continue;
    if (!gpu.reading.processes) return std::nullopt;
    for (const auto& [pid, bytes] : *gpu.reading.processes)
      if (bytes > 0 && Contains(pids, pid)) holders[pid] += ToMebibytes(bytes);
  }
  return holders;
}

void Gpus::AddUse(std::span<const GpuGrant> grants, std::span<const int> pids, TaskUsage& usage) {
  if (!nvml_ || grants.empty()) return;
  std::lock_guard hold(mutex_);
  std::optional<SeenList> seen = Ask();
  if (!seen) return;  // what was seen earlier is no measurement
  last_ = std::move(*seen);
  std::int32_t busy = 0;
  int counted = 0;
  for (const Seen& gpu : last_) {
    const auto grant = std::ranges::find(grants, gpu.identity.uuid, &GpuGrant::uuid);
    if (grant == grants.end()) continue;
    if (const auto percent = BusyOf(*grant, pids, gpu.reading)) {
      busy += *percent;
      ++counted;
    }
    if (!gpu.reading.processes) continue;
    if (!usage.gpu_memory) usage.gpu_memory = Mebibytes(0);
    for (const auto& [pid, bytes] : *gpu.reading.processes)
      if (Contains(pids, pid)) *usage.gpu_memory += ToMebibytes(bytes);
  }
  if (counted > 0) usage.gpu_percent = busy / counted;
}

}  // namespace yard::engine

#include "engine/local/gpus.h"

#include <algorithm>
#include <chrono>
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

template <class Seen>
GpuState StateOf(const Seen& seen, const std::function<bool(int pid)>& is_foreign) {
  const auto& [identity, reading, broken] = seen;
  GpuState state;
  state.uuid = identity.uuid;
  state.model = identity.name;
  state.mig = identity.mig_instance;
  state.pci = identity.pci_bus_id;
  state.fault = FaultOf(reading, broken);
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

bool Nobody(int) {
  return false;
}

bool IsDeclared(const GpuGrant& grant) {
  return grant.uuid.starts_with("GPU-declared-");
}

}  // namespace

Gpus::Gpus(const LocalOptions& options, const std::string& host) : watchdog_(kPatience) {
  if (Result<slice::Nvml> opened = slice::Nvml::Open(options.nvml)) nvml_ = std::move(*opened);
  if (nvml_) faults_ = std::make_shared<Faults>(Faults{slice::XidWatch(*nvml_), {}});
  for (int i = 0; i < options.declared.count; ++i) {
    GpuState gpu;
    gpu.uuid = fmt::format("GPU-declared-{}-{}", host, i);
    gpu.model = options.declared.model;
    gpu.memory = options.declared.memory;
    gpu.declared = true;
    declared_.push_back(std::move(gpu));
  }
}

std::optional<Gpus::SeenList> Gpus::Ask() {
  return watchdog_.Ask([nvml = *nvml_, faults = faults_] {
    for (const slice::Xid& xid : faults->watch.Poll())
      if (slice::IsFault(xid.code)) faults->by_gpu[xid.gpu] = slice::Describe(xid.code);
    SeenList seen;
    for (const slice::NvmlDevice& device : nvml.Devices()) {
      const auto broken = faults->by_gpu.find(device.parent ? device.parent : device.handle);
      seen.push_back({slice::ReadIdentity(nvml, device), slice::ReadGpu(nvml, device),
                      broken == faults->by_gpu.end() ? std::string() : broken->second});
    }
    return seen;
  });
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
    if (!seen)
      for (GpuState& state : states) state.fault = "NVML hangs";
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

void Gpus::AddUse(std::span<const GpuGrant> grants, std::span<const int> pids, TaskUsage& usage) {
  if (!nvml_ || grants.empty()) return;
  std::lock_guard hold(mutex_);
  std::optional<SeenList> seen = Ask();
  if (!seen) return;  // what was seen earlier is no measurement
  last_ = std::move(*seen);
  std::int32_t busy = 0;
  int counted = 0;
  for (const Seen& gpu : last_) {
    const bool granted = std::ranges::any_of(
        grants, [&](const GpuGrant& grant) { return grant.uuid == gpu.identity.uuid; });
    if (!granted) continue;
    if (gpu.reading.gpu_percent) {
      busy += static_cast<std::int32_t>(*gpu.reading.gpu_percent);
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

#include "slice/telemetry.h"

#include <array>
#include <string_view>
#include <utility>

#include "slice/pci.h"

namespace yard::slice {
namespace {

// One number of type T from a call of the form f(device, T*).
template <class T>
std::optional<T> One(const Nvml& nvml, const NvmlDevice& device, const char* name) {
  T value{};
  if (nvml.Call(name, device.handle, &value) != Nvml::kOk) return std::nullopt;
  return value;
}

// The same with a selector in between.
template <class T>
std::optional<T> OneOf(const Nvml& nvml, const NvmlDevice& device, const char* name, int which) {
  T value{};
  if (nvml.Call(name, device.handle, which, &value) != Nvml::kOk) return std::nullopt;
  return value;
}

std::optional<std::string> Text(const Nvml& nvml, const NvmlDevice& device, const char* name) {
  std::array<char, 96> text{};
  if (nvml.Call(name, device.handle, text.data(), unsigned{96}) != Nvml::kOk) return std::nullopt;
  return std::string(text.data());
}

std::optional<std::string> SystemText(const Nvml& nvml, const char* name) {
  std::array<char, 96> text{};
  if (nvml.Call(name, text.data(), unsigned{96}) != Nvml::kOk) return std::nullopt;
  return std::string(text.data());
}

struct Rates {
  unsigned gpu, memory;
};

enum Selector : int { kGpuTemperature = 0, kSmClock = 1, kMemoryClock = 2 };

std::optional<std::uint64_t> Ecc(const Nvml& nvml, const NvmlDevice& device, int kind) {
  unsigned long long count = 0;
  constexpr int kSinceDriverLoad = 0;
  if (nvml.Call("nvmlDeviceGetTotalEccErrors", device.handle, kind, kSinceDriverLoad, &count) !=
      Nvml::kOk)
    return std::nullopt;
  return count;
}

// Drivers before 535 know them by another name.
std::optional<std::uint64_t> ClockReasons(const Nvml& nvml, const NvmlDevice& device) {
  for (const char* const name :
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"})
    if (const auto reasons = One<unsigned long long>(nvml, device, name)) return *reasons;
  return std::nullopt;
}

std::optional<unsigned> RemappedRows(const Nvml& nvml, const NvmlDevice& device) {
  unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
  if (nvml.Call("nvmlDeviceGetRemappedRows", device.handle, &corrected, &uncorrected, &pending,
                &failed) != Nvml::kOk)
    return std::nullopt;
  return corrected + uncorrected;
}

std::optional<bool> MigEnabled(const Nvml& nvml, const NvmlDevice& device) {
  unsigned now = 0, pending = 0;
  if (nvml.Call("nvmlDeviceGetMigMode", device.handle, &now, &pending) != Nvml::kOk)
    return std::nullopt;
  return now != 0;
}

}  // namespace

DriverVersions ReadVersions(const Nvml& nvml) {
  DriverVersions versions;
  versions.driver = SystemText(nvml, "nvmlSystemGetDriverVersion");
  versions.nvml = SystemText(nvml, "nvmlSystemGetNVMLVersion");
  int cuda = 0;
  if (nvml.Call("nvmlSystemGetCudaDriverVersion_v2", &cuda) == Nvml::kOk) versions.cuda = cuda;
  return versions;
}

GpuIdentity ReadIdentity(const Nvml& nvml, const NvmlDevice& device) {
  GpuIdentity identity;
  identity.uuid = device.uuid;
  identity.name = Text(nvml, device, "nvmlDeviceGetName").value_or("");
  identity.serial = Text(nvml, device, "nvmlDeviceGetSerial");
  // An instance has no bus address of its own.
  void* const gpu = device.parent == nullptr ? device.handle : device.parent;
  identity.pci_bus_id = BusAddress(nvml, gpu).value_or("");
  if (const auto minor = One<unsigned>(nvml, {gpu, {}, nullptr}, "nvmlDeviceGetMinorNumber"))
    identity.minor_number = static_cast<int>(*minor);
  int major = 0, minor = 0;
  if (nvml.Call("nvmlDeviceGetCudaComputeCapability", device.handle, &major, &minor) == Nvml::kOk) {
    identity.capability_major = major;
    identity.capability_minor = minor;
  }
  if (const auto node = One<unsigned>(nvml, device, "nvmlDeviceGetNumaNodeId"))
    identity.numa_node = static_cast<int>(*node);
  identity.mig_enabled = MigEnabled(nvml, device);
  identity.mig_instance = device.parent != nullptr;
  if (!identity.mig_instance) return identity;
  if (const auto id = One<unsigned>(nvml, device, "nvmlDeviceGetGpuInstanceId"))
    identity.gpu_instance = static_cast<int>(*id);
  if (const auto id = One<unsigned>(nvml, device, "nvmlDeviceGetComputeInstanceId"))
    identity.compute_instance = static_cast<int>(*id);
  return identity;
}

GpuReading ReadGpu(const Nvml& nvml, const NvmlDevice& device) {
  GpuReading reading;
  reading.memory = nvml.Memory(device);
  if (const auto rates = One<Rates>(nvml, device, "nvmlDeviceGetUtilizationRates")) {
    reading.gpu_percent = rates->gpu;
    reading.memory_percent = rates->memory;
  }
  reading.temperature_c =
      OneOf<unsigned>(nvml, device, "nvmlDeviceGetTemperature", kGpuTemperature);
  reading.power_mw = One<unsigned>(nvml, device, "nvmlDeviceGetPowerUsage");
  reading.power_limit_mw = One<unsigned>(nvml, device, "nvmlDeviceGetEnforcedPowerLimit");
  if (const auto energy =
          One<unsigned long long>(nvml, device, "nvmlDeviceGetTotalEnergyConsumption"))
    reading.energy_mj = *energy;
  reading.sm_clock_mhz = OneOf<unsigned>(nvml, device, "nvmlDeviceGetClockInfo", kSmClock);
  reading.memory_clock_mhz = OneOf<unsigned>(nvml, device, "nvmlDeviceGetClockInfo", kMemoryClock);
  reading.sm_clock_max_mhz = OneOf<unsigned>(nvml, device, "nvmlDeviceGetMaxClockInfo", kSmClock);
  reading.clock_reasons = ClockReasons(nvml, device);
  reading.ecc_corrected = Ecc(nvml, device, 0);
  reading.ecc_uncorrected = Ecc(nvml, device, 1);
  reading.remapped_rows = RemappedRows(nvml, device);
  reading.processes = nvml.Processes(device);
  reading.busy_percents = nvml.BusyPercents(device);
  return reading;
}

std::vector<std::string> SlowdownsIn(std::uint64_t clock_reasons) {
  constexpr std::pair<std::uint64_t, std::string_view> kNames[] = {
      {0x04, "powerLimit"}, {0x08, "hardware"},     {0x10, "syncBoost"},
      {0x20, "heat"},       {0x40, "hardwareHeat"}, {0x80, "powerBrake"}};
  std::vector<std::string> slowdowns;
  for (const auto& [bit, name] : kNames)
    if ((clock_reasons & bit) != 0) slowdowns.emplace_back(name);
  return slowdowns;
}

bool HasKernelLimits(const Nvml& nvml) {
  return nvml.Find("nvmlDeviceSetMemoryLimits_v1") != nullptr;
}

}  // namespace yard::slice

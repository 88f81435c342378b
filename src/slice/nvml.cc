#include "slice/nvml.h"

#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <array>

namespace yard::slice {
namespace {

struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};

struct MemoryV1 {
  unsigned long long total, free, used;
};

struct ProcessV3 {
  unsigned pid;
  unsigned long long bytes;
  unsigned gpu_instance, compute_instance;
};

struct ProcessSample {
  unsigned pid;
  unsigned long long at_micros;
  unsigned sm_percent, memory_percent, encoder_percent, decoder_percent;
};

constexpr unsigned kMemoryV2 = sizeof(MemoryV2) | 2U << 24;
constexpr unsigned long long kUnknown = ~0ULL;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Result<Nvml> Nvml::Open(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Fail(Code::kUnavailable, "NVML cannot be opened: " + std::string(dlerror()),
                "install the NVIDIA driver, or run without GPUs");
  Nvml nvml(library);
  if (const int code = nvml.Call("nvmlInit_v2"); code != kOk)
    return Fail(Code::kUnavailable, "NVML does not start: code " + std::to_string(code));
  return nvml;
}

void* Nvml::Find(const char* name) const {
  return dlsym(library_, name);
}

std::vector<NvmlDevice> Nvml::Devices() const {
  unsigned count = 0;
  std::vector<NvmlDevice> devices;
  if (Call("nvmlDeviceGetCount_v2", &count) != kOk) return devices;
  for (unsigned i = 0; i < count; ++i) {
    NvmlDevice device;
    std::array<char, 96> text{};
    if (Call("nvmlDeviceGetHandleByIndex_v2", i, &device.handle) != kOk) continue;
    if (InMigMode(device.handle)) {
      AddInstances(device.handle, &devices);
      continue;
    }
    if (Call("nvmlDeviceGetUUID", device.handle, text.data(), unsigned{96}) != kOk) continue;
    device.uuid = text.data();
    devices.push_back(device);
  }
  return devices;
}

bool Nvml::InMigMode(void* gpu) const {
  unsigned now = 0, pending = 0;
  return Call("nvmlDeviceGetMigMode", gpu, &now, &pending) == kOk && now != 0;
}

void Nvml::AddInstances(void* gpu, std::vector<NvmlDevice>* into) const {
  unsigned count = 0;
  if (Call("nvmlDeviceGetMaxMigDeviceCount", gpu, &count) != kOk) return;
  for (unsigned i = 0; i < count; ++i) {
    NvmlDevice instance;
    instance.parent = gpu;
    std::array<char, 96> text{};
    // Numbers may have gaps.
    if (Call("nvmlDeviceGetMigDeviceHandleByIndex", gpu, i, &instance.handle) != kOk) continue;
    if (Call("nvmlDeviceGetUUID", instance.handle, text.data(), unsigned{96}) != kOk) continue;
    instance.uuid = text.data();
    into->push_back(instance);
  }
}

std::optional<GpuMemory> Nvml::Memory(const NvmlDevice& device) const {
  MemoryV2 now{kMemoryV2, 0, 0, 0, 0};
  if (Call("nvmlDeviceGetMemoryInfo_v2", device.handle, &now) == kOk)
    return GpuMemory{now.total, now.reserved, now.free, now.used};
  MemoryV1 old{};
  if (Call("nvmlDeviceGetMemoryInfo", device.handle, &old) != kOk) return std::nullopt;
  return GpuMemory{old.total, 0, old.free, old.used};
}

bool Nvml::AddProcesses(const char* name, void* handle,
                        std::map<pid_t, std::uint64_t>* into) const {
  std::vector<ProcessV3> list(256);
  for (int tries = 0; tries < 4; ++tries) {
    auto count = static_cast<unsigned>(list.size());
    const int code = Call(name, handle, &count, list.data());
    if (code == kInsufficientSize) {
      list.resize(list.size() * 4);
      continue;
    }
    if (code != kOk) return false;
    for (unsigned i = 0; i < count; ++i)
      if (list[i].bytes != kUnknown) (*into)[static_cast<pid_t>(list[i].pid)] = list[i].bytes;
    return true;
  }
  return false;
}

std::optional<std::map<pid_t, std::uint64_t>> Nvml::Processes(const NvmlDevice& device) const {
  std::map<pid_t, std::uint64_t> use;
  const bool compute = AddProcesses("nvmlDeviceGetComputeRunningProcesses_v3", device.handle, &use);
  AddProcesses("nvmlDeviceGetGraphicsRunningProcesses_v3", device.handle, &use);
  if (!compute) return std::nullopt;
  return use;
}

// The driver keeps samples for a while; those of the last moment tell what goes on now.
std::optional<std::map<pid_t, unsigned>> Nvml::BusyPercents(const NvmlDevice& device) const {
  constexpr unsigned long long kFreshMicros = 1'500'000;
  constexpr int kNothingNew = 6;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const auto micros = static_cast<unsigned long long>(now.tv_sec) * 1'000'000 +
                      static_cast<unsigned long long>(now.tv_nsec) / 1000;
  std::vector<ProcessSample> samples(1024);
  auto count = static_cast<unsigned>(samples.size());
  const int code = Call("nvmlDeviceGetProcessUtilization", device.handle, samples.data(), &count,
                        micros - kFreshMicros);
  if (code != kOk && code != kNothingNew) return std::nullopt;
  samples.resize(code == kOk ? std::min<std::size_t>(count, samples.size()) : 0);
  std::ranges::sort(samples, {}, &ProcessSample::at_micros);
  std::map<pid_t, unsigned> percents;
  for (const ProcessSample& sample : samples)
    percents[static_cast<pid_t>(sample.pid)] = std::min(sample.sm_percent, 100U);
  return percents;
}

std::optional<Uuid> ParseUuid(std::string_view text) {
  if (text.starts_with("GPU-") || text.starts_with("MIG-")) text.remove_prefix(4);
  Uuid uuid{};
  int digits = 0;
  for (const char c : text) {
    if (c == '-') continue;
    const int value = HexDigit(c);
    if (value < 0 || digits >= 32) return std::nullopt;
    auto& byte = uuid.bytes[digits / 2];
    byte = static_cast<std::uint8_t>(byte << 4 | value);
    ++digits;
  }
  if (digits != 32) return std::nullopt;
  return uuid;
}

std::string FormatUuid(const Uuid& uuid) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kHex[uuid.bytes[i] >> 4];
    text += kHex[uuid.bytes[i] & 15];
  }
  return text;
}

}  // namespace yard::slice

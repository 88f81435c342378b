// NVIDIA's management library, opened at run time; nothing links against it.
//
// Every reading may be missing: a call the library lacks or refuses gives an empty optional,
// never a zero. Calls can block on a sick GPU; see watchdog.h.
// Threads: any (NVML is thread-safe).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "slice/region.h"

namespace yard::slice {

struct GpuMemory {
  std::uint64_t total = 0, reserved = 0, free = 0, used = 0;
};

struct NvmlDevice {
  void* handle = nullptr;
  std::string uuid;        // "GPU-…", of a MIG instance "MIG-…"
  void* parent = nullptr;  // the GPU a MIG instance is on; null: none
};

class Nvml {
 public:
  // `path` names the real library; a name without a slash is searched as usual.
  static Result<Nvml> Open(const std::string& path);

  // What programs can use: GPUs, and instead of a GPU in MIG mode its instances. The mode itself is
  // read and never changed.
  std::vector<NvmlDevice> Devices() const;
  std::optional<GpuMemory> Memory(const NvmlDevice& device) const;
  // Bytes by process in the keeper's pid namespace; empty when NVML does not say.
  std::optional<std::map<pid_t, std::uint64_t>> Processes(const NvmlDevice& device) const;
  // Percent of the newest sample's time in which a kernel of the process ran. Absent: the driver
  // does not tell.
  std::optional<std::map<pid_t, unsigned>> BusyPercents(const NvmlDevice& device) const;

  // A raw entry point, or null.
  void* Find(const char* name) const;
  template <class... Args>
  int Call(const char* name, Args... args) const {
    auto* const function = reinterpret_cast<int (*)(Args...)>(Find(name));
    return function == nullptr ? kMissing : function(args...);
  }

  static constexpr int kOk = 0;
  static constexpr int kInsufficientSize = 7;
  static constexpr int kMissing = 13;  // NVML's own "function not found"

 private:
  explicit Nvml(void* library) : library_(library) {}
  bool InMigMode(void* gpu) const;
  void AddInstances(void* gpu, std::vector<NvmlDevice>* into) const;
  bool AddProcesses(const char* name, void* handle, std::map<pid_t, std::uint64_t>* into) const;
  void* library_ = nullptr;  // never closed: its threads may still run
};

// "GPU-8f3a…" or "MIG-8f3a…" (dashes anywhere, prefix optional) to its 16 bytes.
std::optional<Uuid> ParseUuid(std::string_view text);
std::string FormatUuid(const Uuid& uuid);

}  // namespace yard::slice

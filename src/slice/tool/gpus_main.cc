// gpuyard-slice-gpus [NVML_PATH]: what this node's GPUs say, as JSON lines; absent readings are
// left out.
#include <iostream>
#include <sstream>

#include "slice/telemetry.h"
#include "slice/watchdog.h"

namespace yard::slice {
namespace {

class Object {
 public:
  void Add(const char* key, const std::string& value) { Put(key) << '"' << value << '"'; }
  template <class T>
  void Add(const char* key, const std::optional<T>& value) {
    if (!value) return;
    if constexpr (std::is_same_v<T, std::string>)
      Add(key, *value);
    else if constexpr (std::is_same_v<T, bool>)
      Put(key) << (*value ? "true" : "false");
    else
      Put(key) << *value;
  }
  std::string Text() const { return "{" + out_.str() + "}"; }

 private:
  std::ostream& Put(const char* key) {
    out_ << (first_ ? "" : ",") << '"' << key << "\":";
    first_ = false;
    return out_;
  }
  std::ostringstream out_;
  bool first_ = true;
};

std::string Describe(const Nvml& nvml, const NvmlDevice& device) {
  Object out;
  const DriverVersions versions = ReadVersions(nvml);
  const GpuIdentity identity = ReadIdentity(nvml, device);
  const GpuReading reading = ReadGpu(nvml, device);
  out.Add("driver", versions.driver);
  out.Add("cuda", versions.cuda);
  out.Add("uuid", identity.uuid);
  out.Add("name", identity.name);
  out.Add("pci", identity.pci_bus_id);
  out.Add("serial", identity.serial);
  out.Add("minor", identity.minor_number);
  out.Add("capability_major", identity.capability_major);
  out.Add("capability_minor", identity.capability_minor);
  out.Add("mig", identity.mig_enabled);
  if (reading.memory) {
    out.Add("total", std::optional(reading.memory->total));
    out.Add("reserved", std::optional(reading.memory->reserved));
    out.Add("used", std::optional(reading.memory->used));
  }
  out.Add("gpu_percent", reading.gpu_percent);
  out.Add("temperature_c", reading.temperature_c);
  out.Add("power_mw", reading.power_mw);
  out.Add("power_limit_mw", reading.power_limit_mw);
  out.Add("energy_mj", reading.energy_mj);
  out.Add("sm_clock_mhz", reading.sm_clock_mhz);
  out.Add("memory_clock_mhz", reading.memory_clock_mhz);
  out.Add("sm_clock_max_mhz", reading.sm_clock_max_mhz);
  out.Add("clock_reasons", reading.clock_reasons);
  out.Add("ecc_corrected", reading.ecc_corrected);
  out.Add("ecc_uncorrected", reading.ecc_uncorrected);
  out.Add("remapped_rows", reading.remapped_rows);
  out.Add("kernel_limits", std::optional(HasKernelLimits(nvml)));
  return out.Text();
}

}  // namespace
}  // namespace yard::slice

int main(int count, char** words) {
  using namespace yard::slice;
  auto nvml = Nvml::Open(count > 1 ? words[1] : "libnvidia-ml.so.1");
  if (!nvml) {
    std::cerr << nvml.error().message << "\n";
    return 1;
  }
  Watchdog<std::string> watchdog(std::chrono::seconds(10));
  for (const NvmlDevice& device : nvml->Devices()) {
    const auto text = watchdog.Ask([nvml = *nvml, device] { return Describe(nvml, device); });
    std::cout << text.value_or("{\"uuid\":\"" + device.uuid + "\",\"hangs\":true}") << std::endl;
  }
  return 0;
}

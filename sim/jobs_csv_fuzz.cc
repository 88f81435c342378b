// Any bytes are either refused with a message or read into jobs and faults that can be run.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "sim/jobs_csv.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (const auto jobs = yard::sim::ParseJobs(text)) {
    for (const auto& job : *jobs) {
      YARD_CHECK(job.duration.value > 0 && job.nodes > 0);
      YARD_CHECK(job.gpus_per_node >= 0 && job.gpus_per_node <= 64);
      YARD_CHECK(job.gpu_each.value > 0 && job.gpu_each.value <= 1000);
    }
  }
  if (const auto faults = yard::sim::ParseFaults(text)) {
    for (const auto& fault : *faults) YARD_CHECK(!fault.node.empty());
  }
  return 0;
}

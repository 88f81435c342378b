// What a host answers to the questions of `gpuyard cluster`: nothing of it may end the program, and
// nothing that is no plain word may get from it into settings.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cli/cluster/facts.h"
#include "cli/cluster/names.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yard::cli;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto facts = ParseFacts("gpu1", text);
  if (!facts) return 0;
  YARD_CHECK(IsNodeName(facts->node));
  YARD_CHECK(IsAddress(facts->address));
  YARD_CHECK(facts->cpus > 0);
  for (const HostGpu& gpu : facts->gpus) {
    YARD_CHECK(gpu.file.starts_with("/dev/nvidia"));
    for (const char c : gpu.type)
      YARD_CHECK((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
  }
  for (const auto& key : facts->host_keys) YARD_CHECK(IsPublicKey(key));
  return 0;
}

// Any bytes are either refused with a message or read into shapes that keep their invariants.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "sim/openb_csv.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (const auto cluster = yard::sim::ParseOpenbNodes(text)) {
    for (const auto& node : cluster->nodes) {
      YARD_CHECK(node.cpu_milli >= 0);
      YARD_CHECK(node.FreeMilli() == 1000 * node.gpu_count);
    }
  }
  if (const auto tasks = yard::sim::ParseOpenbPods(text, {"T4", "G2"})) {
    for (const auto& task : *tasks) YARD_CHECK((task.gpu_count == 0) == (task.gpu_milli == 0));
  }
  return 0;
}

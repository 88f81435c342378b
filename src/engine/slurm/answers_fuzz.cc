// What Slurm's programs and a far host print: nothing of it may stop the server.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "engine/slurm/archive.h"
#include "engine/slurm/hostlist.h"
#include "engine/slurm/jobs.h"
#include "engine/slurm/nodes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yard::engine::slurm;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Job& job : ParseSqueue(text)) YARD_CHECK(job.id.value > 0);
  for (const Job& job : ParseSacct(text)) YARD_CHECK(job.id.value > 0);
  for (const Node& node : ParseNodes(text)) {
    YARD_CHECK(!node.name.empty());
    for (const GpuKind& kind : node.gpus) YARD_CHECK(kind.used <= kind.count);
  }
  for (const auto& [node, names] : ParseReservations(text)) YARD_CHECK(!names.empty());
  (void)ParseSubmitted(text);
  (void)ReadArchive(text);
  (void)ExpandNumbers(text);
  return 0;
}

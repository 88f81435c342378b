#include "sim/openb_report.h"

#include <fmt/core.h>

namespace yard::sim {

std::string FormatJson(const OpenbRun& run) {
  const OpenbResult& r = run.result;
  return fmt::format(
      "{{\"policy\":\"{}\",\"seed\":{},\"unallocated_gpu_pct_at_100\":{:.4f},"
      "\"unallocated_gpu_pct_at_130\":{:.4f},\"lower_bound_pct_at_100\":{:.4f},"
      "\"moves\":{},\"decisions_per_s\":{:.0f},"
      "\"arrivals\":{},\"dropped\":{}}}\n",
      NameOf(run.policy), run.seed, r.unallocated_gpu_pct_at_100, r.unallocated_gpu_pct_at_130,
      run.bound_pct_at_100, r.moves, r.decisions_per_s, r.arrivals, r.dropped);
}

std::string FormatTable(const OpenbRun& run) {
  const OpenbResult& r = run.result;
  return fmt::format("{:<13} {:>5} {:>9} {:>9} {:>9} {:>6} {:>12}\n", "POLICY", "SEED", "AT 100 %",
                     "BOUND", "AT 130 %", "MOVES", "DECISIONS/S") +
         fmt::format("{:<13} {:>5} {:>9.2f} {:>9.2f} {:>9.2f} {:>6} {:>12.0f}\n",
                     NameOf(run.policy), run.seed, r.unallocated_gpu_pct_at_100,
                     run.bound_pct_at_100, r.unallocated_gpu_pct_at_130, r.moves,
                     r.decisions_per_s);
}

}  // namespace yard::sim

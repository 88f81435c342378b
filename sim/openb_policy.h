// The policies of the openb benchmark behind one interface.
//
// Each owns its view of the cluster. One thread.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/openb.h"

namespace yard::sim {

class Placer {
 public:
  virtual ~Placer() = default;
  // Puts the task somewhere for good; false if it fits nowhere.
  virtual bool Place(const sched::frag::TaskShape& task) = 0;
  // How many placed tasks have been moved so far.
  virtual std::int64_t moves() const { return 0; }
};

// `trace.nodes` in the order of the run.
std::unique_ptr<Placer> MakePlacer(OpenbPolicy policy, const OpenbTrace& trace, std::uint64_t seed);

}  // namespace yard::sim

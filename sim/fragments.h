// How much of the free GPU the jobs of a list could not use where it lies.
//
// The published fragment measure over the shapes of the list: for each node, averaged over the
// jobs, the free GPU that a job finds unusable there. Immutable; any thread.
#pragma once

#include <span>

#include "sched/place/frag_fgd.h"
#include "sched/snapshot.h"
#include "sim/jobs_csv.h"

namespace yard::sim {

class Fragments {
 public:
  explicit Fragments(std::span<const Job> jobs);

  // Of all free GPU in service; 0 if none is free.
  double PercentOf(const sched::Snapshot& snapshot) const;

 private:
  explicit Fragments(sched::frag::ShapeMix mix);

  double weight_ = 0;
  sched::frag::FgdRule rule_;
};

}  // namespace yard::sim

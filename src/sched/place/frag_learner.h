// Learns the mix of work from the tasks seen so far, so that placement needs no foreknowledge.
//
// Old work fades: when the memory is full every count is halved. One thread.
#pragma once

#include <cstdint>
#include <map>

#include "sched/place/frag.h"

namespace yard::sched::frag {

class MixLearner {
 public:
  // Returns true when enough has been seen since the last time it did that a new Outlook is worth
  // making: after 16 tasks, then whenever half as many again have been seen.
  [[nodiscard]] bool Observe(const TaskShape& task);

  ShapeMix Mix() const;

 private:
  void Fade();

  std::map<TaskShape, std::int64_t> counts_;
  std::int64_t total_ = 0;
  std::int64_t next_ = 16;
};

}  // namespace yard::sched::frag

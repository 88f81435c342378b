// Why a workload waits, in words: derived from the scheduler's view, never stored. Plain data.
#pragma once

#include <string>
#include <vector>

namespace yard {

// One of the reasons that bind.
struct WaitCause {
  std::string reason;   // machine-readable: "OverLimit"
  std::string message;  // one sentence
  std::string pool;     // the node pool it is about; empty: none
  std::string unit;     // PROJECT or DEPARTMENT whose bound refuses; empty: neither
};

struct WaitNote {
  std::string reason;  // of the cause that says most
  std::string message;
  bool never = false;             // not even if nothing else ran
  std::vector<WaitCause> causes;  // all that bind, that one first
};

// One text for places that show no more than that.
inline std::string TextOf(const WaitNote& note) {
  return note.never ? "It can never run here. " + note.message : note.message;
}

}  // namespace yard

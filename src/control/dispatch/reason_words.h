// The scheduler's reasons as the API says them: "OverLimit", "NonPreemptibleOverQuota", …
#pragma once

#include <string>

#include "sched/reason.h"
#include "sched/snapshot.h"

namespace yard::control {

inline std::string ReasonWord(sched::Cause cause) {
  std::string word = sched::CauseName(cause);
  if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') {
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
  }
  return word;
}

// The sentence for people who may know nothing of other projects: a reservation is only somebody's.
inline std::string PublicSentence(sched::Reason reason, const sched::Snapshot& snapshot) {
  if (reason.cause == sched::Cause::kReserved) reason.queue = sched::kNone<sched::QueueIndex>;
  return sched::Sentence(reason, snapshot);
}

}  // namespace yard::control

// The scheduler's reasons as the API says them: "OverLimit", "NonPreemptibleOverQuota", …
#pragma once

#include <string>

#include "sched/reason.h"

namespace yard::control {

inline std::string ReasonWord(sched::Cause cause) {
  std::string word = sched::CauseName(cause);
  if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') {
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
  }
  return word;
}

}  // namespace yard::control

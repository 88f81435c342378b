// Answers that hold a secret shown once, kept in memory for a client that did not get them.
//
// A client whose connection broke sends its request again within seconds. For a few minutes it
// gets the very answer; the secret never lies on disk in clear, and a restart forgets it. Long
// answers are kept here as well, which the state has no room for.
// Bounded in time, number and bytes. Thread-safe.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/time.h"

namespace yard::serve {

class OneTimeReplies {
 public:
  struct Kept {
    int status = 0;
    std::string body;
  };

  void Keep(const std::string& key, Kept reply, Time now);
  // The answer kept under this key, if it is still there.
  std::optional<Kept> Find(const std::string& key, Time now);

  static constexpr Micros kKept = Minutes(10);
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostBytes = 16 << 20;

 private:
  void Forget(Time now);

  struct Entry {
    Kept reply;
    Time until;
  };
  void Drop(std::map<std::string, Entry, std::less<>>::iterator at);

  std::mutex mutex_;
  std::size_t bytes_ = 0;  // of the answers
  std::map<std::string, Entry, std::less<>> replies_;
  std::deque<std::pair<Time, std::string>> order_;  // oldest first
};

}  // namespace yard::serve

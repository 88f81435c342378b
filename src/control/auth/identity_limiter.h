// Slows down whoever guesses passwords: the wait doubles with every failed sign-in.
//
// An attempt counts as failed from the moment it begins until it is reported as a success, so
// that many guesses at once gain nothing. Bounded: beyond kMaxKeys the one idle the longest is
// forgotten. Thread-safe.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace yard::control {

class SignInLimiter {
 public:
  // Something that guesses are counted by: an account or an address.
  struct Key {
    std::string name;
    int free_attempts = 5;
    bool shared = false;  // one success forgives one attempt only, not all of them
  };
  static Key Subject(std::string_view name);
  // More generous: a whole lab may share one address.
  static Key Address(std::string_view peer_address);

  // kTooMany with the seconds to wait if any key must wait; otherwise counts the attempt.
  Status Begin(const std::vector<Key>& keys, Time now);
  void Succeed(const std::vector<Key>& keys);
  std::size_t size() const;

  static constexpr std::size_t kMaxKeys = 10'000;
  static constexpr Micros kLongestWait = Minutes(5);
  static constexpr Micros kForgetAfter = Hours(1);

 private:
  struct Record {
    std::string name;
    int failures = 0;
    Time last;
    Time blocked_until;
  };
  using Records = std::list<Record>;  // the one used last stands first

  Record& Touch(const std::string& name);

  mutable std::mutex mutex_;
  Records records_;
  std::unordered_map<std::string, Records::iterator> by_name_;
};

}  // namespace yard::control

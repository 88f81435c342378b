// Slows down whoever guesses passwords: the wait doubles with every failed sign-in.
//
// Failures are counted by subject and network together, so that somebody who guesses holds up
// neither the owner elsewhere nor others at the same address. Guesses over many subjects, or from
// many networks, are counted by network and by subject as well; somebody who has signed in from a
// network lately is not held up by these. An attempt counts as failed from the moment it begins
// until it is reported as a success, so that many guesses at once gain nothing. Times are of a
// steady clock. Bounded: beyond kMaxKeys the one idle the longest is forgotten. Thread-safe.
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
  static Key Network(std::string_view network);
  static Key SubjectFrom(std::string_view name, std::string_view network);
  // Wrong secrets of applications, apart from people's passwords.
  static Key ApplicationsFrom(std::string_view network);
  // The present password, asked for when it is changed: apart from sign-ins, so that a stolen
  // session cannot hold these up.
  static Key PasswordChange(std::string_view name);
  // Messages sent for trying a rule.
  static Key NotificationTest(std::string_view name);

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

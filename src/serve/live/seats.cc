#include "serve/live/seats.h"

#include <fmt/format.h>

namespace yard::serve {

Result<Seats::Seat> Seats::Take(const std::string& person) {
  {
    MutexLock lock(taken_->mutex);
    std::size_t& of_one = taken_->by_person[person];
    if (of_one >= limits_.of_one) {
      return Fail(Code::kTooMany,
                  fmt::format("{} holds {} connections into running work open", person, of_one),
                  "close some of them, and try again in a moment");
    }
    if (taken_->together >= limits_.together) {
      if (of_one == 0) taken_->by_person.erase(person);
      return Fail(Code::kTooMany,
                  fmt::format("{} connections into running work are open", taken_->together),
                  "try again once others are closed");
    }
    ++of_one;
    ++taken_->together;
  }
  return Seat(nullptr, [taken = taken_, person](const void*) {
    MutexLock lock(taken->mutex);
    --taken->together;
    auto at = taken->by_person.find(person);
    if (--at->second == 0) taken->by_person.erase(at);
  });
}

}  // namespace yard::serve

// How many connections into running work a person, and everybody together, may hold open.
//
// Each takes several descriptors of the server and of its engine, which end before the connections
// do that the server takes. A seat is free again when its last copy goes. Thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/result.h"

namespace yard::serve {

class Seats {
 public:
  struct Limits {
    std::size_t of_one = 300;
    std::size_t together = 1500;
  };
  using Seat = std::shared_ptr<const void>;

  explicit Seats(Limits limits) : limits_(limits) {}

  // kTooMany says what to do. A seat may outlive this.
  Result<Seat> Take(const std::string& person);

 private:
  struct Taken {
    Mutex mutex;
    std::map<std::string, std::size_t> by_person YARD_GUARDED_BY(mutex);
    std::size_t together YARD_GUARDED_BY(mutex) = 0;
  };

  const Limits limits_;
  const std::shared_ptr<Taken> taken_ = std::make_shared<Taken>();
};

}  // namespace yard::serve

// Changes to a Core that are taken back: everything since a mark, or everything at the end.
//
// Thread rule: one thread; one Trial per Core at a time.
#pragma once

#include <vector>

#include "sched/core/core.h"

namespace yard::sched {

class Trial {
 public:
  explicit Trial(Core& core) : core_(core) {}
  ~Trial() { RollBack({}); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  struct Mark {
    std::size_t steps = 0;
    std::size_t bookings = 0;
  };
  Mark Here() const { return {steps_.size(), bookings_.size()}; }

  void Take(const TaskShape& shape, const TaskPlacement& at) {
    core_.Take(shape, at);
    steps_.push_back({&shape, at, +1});
  }
  void Release(const TaskShape& shape, const TaskPlacement& at) {
    core_.Release(shape, at);
    steps_.push_back({&shape, at, -1});
  }
  void Book(const Booking& booking, int sign) {
    core_.Book(booking, sign);
    bookings_.push_back({booking, sign});
  }
  void RollBack(Mark to) {
    for (; steps_.size() > to.steps; steps_.pop_back()) {
      const Step& step = steps_.back();
      if (step.sign > 0) {
        core_.Release(*step.shape, step.at);
      } else {
        core_.Take(*step.shape, step.at);
      }
    }
    for (; bookings_.size() > to.bookings; bookings_.pop_back()) {
      core_.Book(bookings_.back().booking, -bookings_.back().sign);
    }
  }

 private:
  struct Step {
    const TaskShape* shape;  // outlives the trial
    TaskPlacement at;
    int sign;
  };
  struct Entry {
    Booking booking;
    int sign;
  };
  Core& core_;
  std::vector<Step> steps_;
  std::vector<Entry> bookings_;
};

}  // namespace yard::sched

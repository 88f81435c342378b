// The demo's people go on submitting work while it is served, so that things move.
//
// They hold back while much is waiting. A thread of its own until it is destroyed; the service
// must outlive it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "control/service.h"
#include "demo/work.h"

namespace yard::demo {

class BusyPeople {
 public:
  explicit BusyPeople(control::Service& service);
  ~BusyPeople();
  BusyPeople(const BusyPeople&) = delete;
  BusyPeople& operator=(const BusyPeople&) = delete;

 private:
  void Loop();
  void SubmitNext();

  control::Service& service_;
  WorkStream stream_;
  int turn_ = 0;

  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace yard::demo

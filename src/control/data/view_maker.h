// Makes folders of data sets on threads of its own. Writing a large one takes minutes, and the
// launches and stops of everybody else's work must not wait for it.
//
// A project has one folder made at a time, so that none keeps the others waiting. Thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/ids.h"

namespace yard::control {

class ViewMaker {
 public:
  // Gives up soon after the flag is set.
  using Make = std::function<Status(const std::atomic<bool>& stopping)>;
  struct Order {
    ProjectId project;
    std::string name;  // of the folder
    Make make;
  };

  ViewMaker() = default;
  ~ViewMaker();
  ViewMaker(const ViewMaker&) = delete;
  ViewMaker& operator=(const ViewMaker&) = delete;

  // What came of it; nothing as long as it is being made. The first to ask waits a moment, so that
  // small folders are there at once. A failure is told for some seconds, then it is tried again.
  std::optional<Status> Ask(Order order, Time now);

 private:
  struct Failure {
    Error error;
    std::optional<Time> told_at = {};
  };

  // With the lock held.
  bool Knows(const std::string& name) const;
  std::optional<Status> FailureOf(const std::string& name, Time now);
  std::list<Order>::iterator Next();
  void Loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Order> waiting_;                 // the oldest first
  std::map<ProjectId, std::string> making_;  // names, by project
  std::map<std::string, Failure> failures_;
  std::atomic<bool> stopping_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace yard::control

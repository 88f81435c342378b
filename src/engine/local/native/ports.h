// Ports of plain processes. They share the machine's loopback: two notebooks would want the same
// port. So each task is given a port that nobody uses, in GPUYARD_PORT.
//
// Thread-safe: nothing is kept but what PortPool guards.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "engine/task.h"

namespace yard::engine {

inline constexpr const char* kPortVariable = "GPUYARD_PORT";

// What GPUYARD_PORT says in the first of these processes that has it.
std::optional<std::uint16_t> GivenPort(std::span<const int> pids);

// Gives out ports that nobody listens on and that no other task was given.
class PortPool {
 public:
  // Nothing if all are taken. The same task gets the same port again.
  std::optional<std::uint16_t> Take(const TaskKey& key);
  void GiveBack(const TaskKey& key);

 private:
  bool IsGiven(std::uint16_t port) const;

  std::mutex mutex_;
  std::map<TaskKey, std::uint16_t> given_;
};

}  // namespace yard::engine

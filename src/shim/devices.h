// The devices that a task may open. The kernel asks a filter on the task's control group (v2) at
// every open and mknod, so neither a node elsewhere nor another name of it gets around the filter.
#pragma once

#include <cstdint>

#include "shim/failure.h"

namespace yard::shim {

struct DeviceNumber {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
};

// Character devices of a guarded major number are refused, except those granted. All others are
// left to their file permissions.
struct DeviceRules {
  static constexpr int kGuardedMax = 16;
  static constexpr int kGrantedMax = 128;

  std::uint32_t guarded[kGuardedMax] = {};
  int guarded_count = 0;
  DeviceNumber granted[kGrantedMax] = {};
  int granted_count = 0;
  bool broken = false;  // a rule that could not be read, or one too many: nothing may run by them

  void Guard(const char* major);
  void Grant(const char* number);  // "195:0"
};

// Puts the filter on the group at `path`.
Failure FilterDevices(const DeviceRules& rules, const char* path);

// Whether this kernel can, tried out at a group: an empty filter goes on and off again.
bool CanFilterDevices(const char* path);

}  // namespace yard::shim

// What the shim is to run, read from the spec in the task's folder.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "shim/devices.h"

namespace yard::shim {

// Texts, ended by a null pointer. They lie in the buffer of the spec.
struct List {
  char** items = nullptr;
  int count = 0;
  void Add(char* item);
};

inline constexpr int kGroupsMax = 256;

struct Spec {
  const char* task = "";
  const char* events = nullptr;
  const char* mark = nullptr;
  const char* cwd = "/";
  const char* tree = nullptr;  // v2 group
  const char* oom = nullptr;
  const char* daemon = nullptr;
  const char* container = nullptr;  // then there are no args
  const char* parent = nullptr;
  List args;
  List env;
  List inherit;
  List groups_v1;
  List sets;
  List mounts;
  DeviceRules devices;
  std::int64_t uid = -1;
  std::int64_t gid = -1;
  gid_t groups[kGroupsMax] = {};
  int group_count = 0;
  std::int64_t log_limit = 0;
  bool tty = false;
  bool sync = false;
  bool as_root = false;
};

// False if the spec cannot be read, is not whole or names no command.
bool ReadSpec(int fd, Spec* spec);

}  // namespace yard::shim

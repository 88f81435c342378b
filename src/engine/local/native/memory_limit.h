// The limits of host memory that hold for a task's processes, whoever keeps its control groups.
//
// A task's own groups are the one that bears its name and those below it, such as a container's;
// only these are changed. Read from the kernel each time: nothing is remembered, so limits that an
// earlier life of the server raised are found again. Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace yard::engine {

class MemoryLimits {
 public:
  // Of the groups around the process. `name` is that of the task's group; `root` is the root of the
  // file system, another one for tests.
  static MemoryLimits Of(int pid, std::string_view name, const std::string& root = "");

  // Of the task's innermost group that has one.
  std::optional<Mebibytes> Own() const;
  // What the groups outside the task's own still let it have; nothing: they do not limit it.
  std::optional<Mebibytes> RoomOutside() const;
  // Gives the task's own groups, launched with the limit `launched`, so much more; 0: none.
  // Limits that are lower are of the task's own making and stay. False if the kernel refuses.
  bool Raise(Mebibytes launched, Mebibytes more);

 private:
  struct Group {
    std::string path;
    bool own = false;
    bool below = false;  // the group with the task's name
    Mebibytes limit;
    Mebibytes used;
  };
  bool Set(Group& group, Mebibytes limit) const;

  bool is_v1_ = false;
  std::vector<Group> groups_;  // with a limit, the innermost first
};

// A container's own group is given so much more than the task's group around it, so that it is
// always the outer one that runs out first, whose events outlive the container.
inline constexpr Mebibytes kInnerMargin{1};

}  // namespace yard::engine

// The control groups around a container: the daemon makes its own inside one of ours.
#pragma once

#include "shim/spec.h"

namespace yard::shim {

// Hears of processes killed for memory, also from groups that are gone when somebody looks. The
// first version of cgroups counts them only where the process was, so its events are used; the
// second one counts upwards and needs no more than a look at the end.
class OomWatch {
 public:
  void Open(const Spec& spec);
  bool Happened(const Spec& spec) const;

 private:
  int events_ = -1;
};

// Ends what is left inside the group spec.parent and removes it, in every hierarchy: the daemons
// make it in all of them and leave it there.
void RemoveParentGroups(const Spec& spec);

}  // namespace yard::shim

// File access with the rights of the task's account, for as long as an object of this class lives.
//
// The shim works for people it does not trust: a path that one of them names is opened with that
// person's rights, and without any capability, so that it leads nowhere they could not go
// themselves and its failure tells nothing they could not find out themselves. One thread.
#pragma once

#include <sys/types.h>

#include "shim/spec.h"

namespace yard::shim {

class OwnersRights {
 public:
  // Changes nothing if the task runs as this process does.
  explicit OwnersRights(const Spec& spec);
  // Keeps errno.
  ~OwnersRights();
  OwnersRights(const OwnersRights&) = delete;
  OwnersRights& operator=(const OwnersRights&) = delete;

  // False with errno set: the rights are still those of this process, so open nothing.
  bool taken() const { return taken_; }

 private:
  void GiveBack() const;

  bool changed_ = false;
  bool taken_ = true;
  gid_t groups_[kGroupsMax];
  int group_count_ = 0;
};

// The account that a task's files belong to.
uid_t OwnerOf(const Spec& spec);

}  // namespace yard::shim

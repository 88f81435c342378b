// The places that a task's mounts appear at, found and made inside its own mount namespace.
//
// Paths are walked one name at a time with the owner's rights, and no symbolic link is followed.
// A name that is missing is made by the owner, where the owner may write; the last task that uses
// it removes it again, with the owner's rights too. Where the owner may not write, the folder is
// covered by a private file system that shows what the folder holds, and the name is made there:
// the machine's own file system never changes. One thread.
#pragma once

#include <sys/types.h>

#include "shim/spec.h"

namespace yard::shim {

class MountPoints {
 public:
  // Begins at the root of the calling process's mount namespace.
  explicit MountPoints(const Spec& spec);

  // A descriptor of the place, made if it is missing; -1 with errno set.
  enum class Kind { kFolder, kFile };
  int Open(const char* target, Kind kind);

  // Removes the places that were made in folders of the owner and that no other task uses.
  void Remove();

 private:
  static constexpr int kMadeMax = 256;
  static constexpr int kMirrorsMax = 64;

  // Locked (shared) by all tasks that use it: the kernel takes a mount away with its point.
  struct Made {
    int parent;
    int self;
    char* name;
    Kind kind;
  };
  enum class Hold { kYes, kGone, kNo };

  int Step(int* parent, const char* name, Kind kind);
  int Find(int parent, const char* name) const;
  Hold HoldIfMade(int parent, const char* name, int found);
  bool Make(int* parent, const char* name, Kind kind);
  int Mirror(int folder);
  bool IsMirror(int folder) const;

  const Spec& spec_;
  int root_ = -1;
  int depth_ = 0;  // of the walk that goes on
  Made made_[kMadeMax];
  int made_count_ = 0;
  dev_t mirrors_[kMirrorsMax];
  int mirror_count_ = 0;
};

// Where nothing of a task may be mounted: programs, settings and interfaces of the machine.
bool IsSystemFolder(const char* path);

// openat2 without symbolic links; -1 with errno set.
int OpenWithoutLinks(int folder, const char* path, int flags);

}  // namespace yard::shim

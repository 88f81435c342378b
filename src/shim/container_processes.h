// The processes of a container as the machine sees them: signals without asking the daemon, which
// may be slow or away. One thread.
#pragma once

#include <sys/types.h>

namespace yard::shim {

class ContainerProcesses {
 public:
  // `first` is the container's first process; 0 if it is not known or has ended.
  void Open(pid_t first);
  // The first process is known and has not ended.
  bool IsAlive() const;

  // Signals the first process and its group; false if this account may not.
  //
  // The kernel keeps signals from the first process of a container unless it has a handler, so a
  // plain program would not end by SIGTERM as it does elsewhere. IsDeaf tells when that is so.
  bool Signal(int signal);
  bool IsDeaf() const { return deaf_; }
  // Whether of those who got the signal only the first process is left.
  bool IsAlone() const;
  bool Kill() const;

 private:
  void NoteGroup();

  static constexpr int kMembersMax = 256;
  pid_t first_ = 0;
  int pidfd_ = -1;
  bool deaf_ = false;
  pid_t members_[kMembersMax] = {};
  int member_count_ = 0;
};

}  // namespace yard::shim

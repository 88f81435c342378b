#include "shim/owners_rights.h"

#include <errno.h>
#include <grp.h>
#include <unistd.h>

namespace yard::shim {
namespace {

constexpr int kCannotGoOn = 125;

}  // namespace

OwnersRights::OwnersRights(const Spec& spec) {
  if (spec.uid < 0 || geteuid() != 0) return;
  group_count_ = getgroups(kGroupsMax, groups_);
  taken_ = group_count_ >= 0;
  changed_ = taken_;
  // Without an effective user id of 0 there are no effective capabilities either. The real one
  // stays, so that the account cannot send signals to this process.
  taken_ = taken_ && setgroups(static_cast<std::size_t>(spec.group_count), spec.groups) == 0 &&
           (spec.gid < 0 || setegid(static_cast<gid_t>(spec.gid)) == 0) &&
           seteuid(static_cast<uid_t>(spec.uid)) == 0;
  if (taken_ || !changed_) return;
  const int error = errno;
  GiveBack();
  changed_ = false;
  errno = error;
}

OwnersRights::~OwnersRights() {
  if (!changed_) return;
  const int error = errno;
  GiveBack();
  errno = error;
}

void OwnersRights::GiveBack() const {
  const bool back = seteuid(0) == 0 && setegid(getgid()) == 0 &&
                    setgroups(static_cast<std::size_t>(group_count_), groups_) == 0;
  if (!back) _exit(kCannotGoOn);
}

uid_t OwnerOf(const Spec& spec) {
  return spec.uid < 0 ? geteuid() : static_cast<uid_t>(spec.uid);
}

}  // namespace yard::shim

#include <algorithm>

#include "slice/agent/keeper.h"

namespace yard::slice {

// The copy may take seconds, so it runs beside the books; a slice that is parked or being parked
// is told by `Seat::parked`.
Status Keeper::Park(const std::string& name, Micros lock_timeout) {
  std::lock_guard one(checkpoint_mutex_);
  YARD_TRY(OpenCheckpointer());
  std::vector<pid_t> pids;
  {
    std::lock_guard hold(mutex_);
    Seat* const seat = Find(name);
    if (seat == nullptr) return Fail(Code::kNotFound, "slice " + name + " does not exist");
    if (!seat->parked.empty()) return {};
    for (const Member& member : seat->slice.members()) pids.push_back(member.pid);
  }
  YARD_TRY(checkpointer_->Park(pids, lock_timeout));
  std::lock_guard hold(mutex_);
  if (Seat* const seat = Find(name)) seat->parked = pids;
  return {};
}

Status Keeper::Unpark(const std::string& name) {
  std::lock_guard one(checkpoint_mutex_);
  YARD_TRY(OpenCheckpointer());
  std::vector<pid_t> pids;
  {
    std::lock_guard hold(mutex_);
    Seat* const seat = Find(name);
    if (seat == nullptr) return Fail(Code::kNotFound, "slice " + name + " does not exist");
    for (const pid_t pid : seat->parked) {
      const bool lives = std::ranges::any_of(seat->slice.members(),
                                             [pid](const Member& m) { return m.pid == pid; });
      if (lives) pids.push_back(pid);
    }
  }
  YARD_TRY(checkpointer_->Unpark(pids));
  std::lock_guard hold(mutex_);
  if (Seat* const seat = Find(name)) seat->parked.clear();
  return {};
}

Status Keeper::OpenCheckpointer() {
  if (checkpointer_) return {};
  YARD_ASSIGN(checkpointer_, Checkpointer::Open(options_.real_cuda));
  return {};
}

}  // namespace yard::slice

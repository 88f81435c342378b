// The keeper's way of taking a slice off its GPU: the driver's checkpoint, and the books beside it.
#include "slice/agent/keeper.h"

namespace yard::slice {
namespace {

std::vector<pid_t> ProcessesOf(const Slice& slice) {
  std::vector<pid_t> pids;
  for (const Member& member : slice.members()) pids.push_back(member.pid);
  return pids;
}

}  // namespace

Parking Keeper::ParkingOf(const Seat& seat) {
  return static_cast<Parking>(seat.slice.region()->parking.load());
}

// Away from the GPU a slice has no share of its time either; its processes could not give it back.
void Keeper::SetParking(Seat& seat, Parking parking) {
  Region& region = *seat.slice.region();
  const Parking before = ParkingOf(seat);
  region.parking = static_cast<std::uint64_t>(parking);
  if (before == Parking::kHere && parking != Parking::kHere) gates_.Leave(&region);
  if (before != Parking::kHere && parking == Parking::kHere) gates_.Join(&region);
  BalanceAll();
}

// The copy may take seconds, so it runs beside the books. One that is on its way at the beginning
// was left there by an earlier keeper: it comes back first.
Status Keeper::Park(const std::string& name, Micros lock_timeout) {
  std::lock_guard one(checkpoint_mutex_);
  YARD_TRY(OpenCheckpointer());
  std::vector<pid_t> pids;
  bool left_behind = false;
  {
    std::lock_guard hold(mutex_);
    Seat* const seat = Find(name);
    if (seat == nullptr) return Fail(Code::kNotFound, "slice " + name + " does not exist");
    if (ParkingOf(*seat) == Parking::kAway) return {};
    left_behind = ParkingOf(*seat) == Parking::kMoving;
    SetParking(*seat, Parking::kMoving);
    pids = ProcessesOf(seat->slice);
  }
  Status parked = left_behind ? checkpointer_->Unpark(pids, lock_timeout) : Status();
  if (parked) parked = checkpointer_->Park(pids, lock_timeout);
  // What could not be brought back either is on its way still: its part stays its own.
  const bool here = !parked && checkpointer_->AwayAmong(pids).empty();
  std::lock_guard hold(mutex_);
  Seat* const seat = Find(name);
  if (seat != nullptr)
    SetParking(*seat, parked ? Parking::kAway : here ? Parking::kHere : Parking::kMoving);
  return parked;
}

Status Keeper::Unpark(const std::string& name, Micros lock_timeout) {
  std::lock_guard one(checkpoint_mutex_);
  YARD_TRY(OpenCheckpointer());
  std::vector<pid_t> pids;
  {
    std::lock_guard hold(mutex_);
    Seat* const seat = Find(name);
    if (seat == nullptr) return Fail(Code::kNotFound, "slice " + name + " does not exist");
    if (ParkingOf(*seat) == Parking::kHere) return {};
    for (int i = 0; i < seat->slice.gpu_count() && ParkingOf(*seat) == Parking::kAway; ++i)
      YARD_TRY(CheckRequest(seat->slice.terms(i).uuid, seat->slice.terms(i).soft));
    SetParking(*seat, Parking::kMoving);
    pids = ProcessesOf(seat->slice);
  }
  const Status back = checkpointer_->Unpark(pids, lock_timeout);
  std::lock_guard hold(mutex_);
  if (Seat* const seat = Find(name)) SetParking(*seat, back ? Parking::kHere : Parking::kAway);
  return back;
}

Status Keeper::OpenCheckpointer() {
  if (checkpointer_) return {};
  YARD_ASSIGN(checkpointer_, Checkpointer::Open(options_.real_cuda));
  return {};
}

}  // namespace yard::slice

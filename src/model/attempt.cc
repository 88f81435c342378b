#include "model/attempt.h"

namespace yard {

MilliGpu HeldBy(const TaskPlace& place) {
  return place.each * static_cast<std::int64_t>(place.gpus.size());
}

MilliGpu HeldBy(const Attempt& attempt) {
  MilliGpu held;
  for (const TaskPlace& place : attempt.places) held += HeldBy(place);
  return held;
}

bool HoldsGpus(const Attempt& attempt) {
  return attempt.residence != Residence::kAway;
}

std::string_view Name(Residence residence) {
  switch (residence) {
    case Residence::kOnGpu:
      return "OnGpu";
    case Residence::kLeaving:
      return "Leaving";
    case Residence::kAway:
      return "Away";
    case Residence::kReturning:
      return "Returning";
  }
  return "OnGpu";
}

std::string_view Name(EndCause cause) {
  switch (cause) {
    case EndCause::kCompleted:
      return "Completed";
    case EndCause::kExit:
      return "Exit";
    case EndCause::kSignal:
      return "Signal";
    case EndCause::kOutOfMemory:
      return "OutOfMemory";
    case EndCause::kLaunchFailed:
      return "LaunchFailed";
    case EndCause::kTimeLimit:
      return "TimeLimit";
    case EndCause::kIdle:
      return "Idle";
    case EndCause::kSuspended:
      return "Suspended";
    case EndCause::kDeleted:
      return "Deleted";
    case EndCause::kCancelled:
      return "Cancelled";
    case EndCause::kPreempted:
      return "Preempted";
    case EndCause::kNodeLost:
      return "NodeLost";
  }
  return "NodeLost";
}

}  // namespace yard

#include "model/attempt.h"

#include <algorithm>

namespace yard {

MilliGpu HeldBy(const TaskPlace& place) {
  return place.each * static_cast<std::int64_t>(place.gpus.size());
}

MilliGpu HeldBy(const Attempt& attempt) {
  MilliGpu held;
  for (const TaskPlace& place : attempt.places) held += HeldBy(place);
  return held;
}

Time HeldFrom(const Attempt& attempt, Time now) {
  if (!attempt.queued) return attempt.placed_at;
  return attempt.started_at.value_or(attempt.end ? attempt.end->at : now);
}

bool HoldsGpus(const Attempt& attempt) {
  return attempt.residence != Residence::kAway;
}

void Relocate(Attempt& attempt, Residence next, Time at) {
  if (!HoldsGpus(attempt)) attempt.absences = AbsencesUntil(attempt, at);
  attempt.residence = next;
  attempt.residence_since = at;
}

std::vector<Absence> AbsencesUntil(const Attempt& attempt, Time now) {
  if (attempt.end) now = std::min(now, attempt.end->at);
  std::vector<Absence> all = attempt.absences;
  if (!HoldsGpus(attempt)) all.push_back({attempt.residence_since, now});
  for (Absence& one : all) one.to = std::max(one.from, std::min(one.to, now));
  return all;
}

Micros AwayUntil(const Attempt& attempt, Time now) {
  Micros away;
  for (const Absence& one : AbsencesUntil(attempt, now)) away += one.to - one.from;
  return away;
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

#include "model/life.h"

#include <initializer_list>

namespace yard {
namespace {

using enum Life;

bool IsOneOf(Life life, std::initializer_list<Life> lives) {
  for (Life one : lives) {
    if (life == one) return true;
  }
  return false;
}

// The tasks of an attempt can end by themselves in every state that has tasks.
bool IsEnd(Life life) {
  return life == kCompleted || life == kFailed;
}

bool IsStop(Life life) {
  return life == kSuspending || life == kCancelling;
}

}  // namespace

Phase PhaseOf(Life life) {
  switch (life) {
    case kNew:
      return Phase::kCreating;
    case kWaiting:
      return Phase::kPending;
    case kStarting:
    case kReturning:
      return Phase::kInitializing;
    case kRunning:
    case kLeaving:
      return Phase::kRunning;
    case kSuspending:
    case kCancelling:
      return Phase::kStopping;
    case kParked:
    case kSuspended:
    case kCancelled:
      return Phase::kStopped;
    case kResuming:
      return Phase::kResuming;
    case kCompleted:
      return Phase::kCompleted;
    case kFailed:
      return Phase::kFailed;
    case kDeleting:
      return Phase::kDeleting;
  }
  return Phase::kUnknown;
}

std::string_view ReasonOf(Life life) {
  switch (life) {
    case kStarting:
      return "Placed";
    case kReturning:
      return "Returning";
    case kRunning:
      return "Running";
    case kLeaving:
      return "Parking";
    case kParked:
      return "Parked";
    case kResuming:
      return "ResumeRequested";
    case kCancelling:
      return "CancelRequested";
    case kCancelled:
      return "Cancelled";
    case kDeleting:
      return "DeleteRequested";
    case kNew:
    case kWaiting:
    case kSuspending:
    case kSuspended:
    case kCompleted:
    case kFailed:
      break;
  }
  return "";
}

bool MayFollow(Life from, Life to) {
  if (to == kDeleting) return true;
  switch (from) {
    case kNew:
      return to == kWaiting || to == kFailed || IsStop(to);
    case kWaiting:
      // With its memory in host memory it has tasks, which end, and may be parked again.
      return IsOneOf(to, {kWaiting, kStarting, kReturning, kParked, kSuspended}) || IsEnd(to) ||
             IsStop(to);
    case kStarting:
    case kReturning:
      return IsOneOf(to, {kRunning, kWaiting}) || IsEnd(to) || IsStop(to);
    case kRunning:
    case kLeaving:
      return IsOneOf(to, {kRunning, kLeaving, kParked, kWaiting, kSuspended}) || IsEnd(to) ||
             IsStop(to);
    case kParked:
      return IsOneOf(to, {kResuming, kSuspended}) || IsEnd(to) || IsStop(to);
    case kSuspending:
      // It waits where it was resumed while its tasks were being stopped.
      return IsOneOf(to, {kSuspended, kParked, kCancelling, kWaiting}) || IsEnd(to);
    case kSuspended:
      return IsOneOf(to, {kResuming, kCancelled, kSuspended}) || IsEnd(to);
    case kResuming:
      return IsOneOf(to, {kWaiting, kStarting}) || IsStop(to);
    case kCancelling:
      return to == kCancelled || IsEnd(to);
    case kCancelled:
      return to == kResuming;
    case kCompleted:
    case kFailed:
    case kDeleting:
      return false;
  }
  return false;
}

bool IsFinal(Life life) {
  return life == kCompleted || life == kFailed;
}

bool HasEnded(Life life) {
  return IsFinal(life) || life == kCancelled;
}

bool MayHavePods(Life life) {
  switch (life) {
    case kNew:
    case kWaiting:
    case kParked:
    case kSuspended:
    case kResuming:
    case kCancelled:
    case kCompleted:
    case kFailed:
      return false;
    case kStarting:
    case kReturning:
    case kRunning:
    case kLeaving:
    case kSuspending:
    case kCancelling:
    case kDeleting:
      return true;
  }
  return true;
}

std::string_view Name(Phase phase) {
  switch (phase) {
    case Phase::kCreating:
      return "Creating";
    case Phase::kInitializing:
      return "Initializing";
    case Phase::kResuming:
      return "Resuming";
    case Phase::kPending:
      return "Pending";
    case Phase::kDeleting:
      return "Deleting";
    case Phase::kRunning:
      return "Running";
    case Phase::kUpdating:
      return "Updating";
    case Phase::kStopped:
      return "Stopped";
    case Phase::kStopping:
      return "Stopping";
    case Phase::kDegraded:
      return "Degraded";
    case Phase::kFailed:
      return "Failed";
    case Phase::kCompleted:
      return "Completed";
    case Phase::kTerminating:
      return "Terminating";
    case Phase::kUnknown:
      return "Unknown";
  }
  return "Unknown";
}

}  // namespace yard

// A workload's life: the state it is in, the states that may follow, and the phase that people see.
//
// No code decides by the words of a phase or a reason: they are views of the life.
#pragma once

#include <cstdint>
#include <string_view>

namespace yard {

// Run:ai's phases.
enum class Phase {
  kCreating,
  kInitializing,
  kResuming,
  kPending,
  kDeleting,
  kRunning,
  kUpdating,
  kStopped,
  kStopping,
  kDegraded,
  kFailed,
  kCompleted,
  kTerminating,
  kUnknown,
};

enum class Life : std::uint8_t {
  kNew,
  kWaiting,    // for a place, or for its own GPUs if its memory is in host memory
  kStarting,   // has a place
  kReturning,  // its memory comes back to its GPUs
  kRunning,
  kLeaving,     // runs, and its GPU memory is being moved to host memory
  kParked,      // its tasks are there, off their GPUs, with their device memory in host memory
  kSuspending,  // its tasks are being stopped, and it may be resumed
  kSuspended,
  kResuming,
  kCancelling,  // its tasks are being stopped, and that is its end
  kCancelled,   // a person ended it; its record stays, and it may still be resumed
  kCompleted,
  kFailed,
  kDeleting,
};

Phase PhaseOf(Life life);
// The word for programs that goes with the life; empty: it depends on the cause.
std::string_view ReasonOf(Life life);

bool MayFollow(Life from, Life to);

// Nothing will happen any more, and no command but a deletion changes that.
bool IsFinal(Life life);
// Final, or cancelled.
bool HasEnded(Life life);
// Something of it may be running on a machine. Parked work has tasks too; its attempt says so.
bool MayHavePods(Life life);

std::string_view Name(Phase phase);

}  // namespace yard

// Whether host memory has room for what a task holds on its GPUs.
//
// The driver copies it there while the task is off its GPUs, and the kernel counts the copy as the
// task's own memory: without room it would kill the task in the middle, so this is asked before.
// Plain functions; thread-safe.
#pragma once

#include <optional>
#include <string>

#include "base/quantity.h"
#include "base/result.h"

namespace yard::engine {

struct CopyRoom {
  Mebibytes held;                      // on the task's GPUs
  std::optional<Mebibytes> limit;      // of the task's host memory; absent: none, or it is raised
  Mebibytes used;                      // of that
  std::optional<Mebibytes> available;  // on the machine; absent: not known
};

// The copy, and what the driver needs beside it.
Mebibytes NeededFor(Mebibytes held);

// kPrecondition with both numbers if the copy, and a little more, does not fit.
Status CheckCopyFits(const CopyRoom& room);

// What can be had on this machine without swapping: MemAvailable of /proc/meminfo.
std::optional<Mebibytes> ReadAvailableMemory(const std::string& file);

}  // namespace yard::engine

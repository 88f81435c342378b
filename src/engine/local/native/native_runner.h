// Runs tasks as plain processes, each under a shim of its own.
//
// The shim decides what happened; this class starts shims, hears from them, sends them stop
// orders, and cleans up after one that was killed.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/local/event_loop.h"
#include "engine/local/gpu/gpus.h"
#include "engine/local/gpu/slices.h"
#include "engine/local/native/cgroups.h"
#include "engine/local/options.h"
#include "engine/local/runner.h"

namespace yard::engine {

// What it borrows must outlive it.
struct NativeParts {
  const LocalOptions& options;
  EventLoop& loop;
  const Cgroups& groups;
  Gpus& gpus;
  Slices& slices;
};

Result<std::unique_ptr<Runner>> MakeNativeRunner(const NativeParts& parts);

}  // namespace yard::engine

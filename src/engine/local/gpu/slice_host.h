// A machine with the fake GPU, for the tests of what the local engine does with GPUs.
#pragma once

#include <string>

#include "engine/local/local_host.h"
#include "engine/testing/conformance.h"

namespace yard::engine::testing {

class SliceHost final : public LocalHost {
 public:
  SliceHost();
  // Says how much memory the machine has free; a lot unless told.
  void SetFreeMemory(Mebibytes free) const;
  const std::string& root() const { return const_cast<SliceHost*>(this)->options().root; }
};

class SlicesTest : public Conformance {
 protected:
  const LocalOptions& options();
  // A task with half a gigabyte of the only GPU.
  TaskSpec Part(const std::string& script);
  // Shell that has a program ask the driver that it finds.
  static std::string Ask(const std::string& lines);
  // A file of the build of the slices.
  static std::string Built(const std::string& file);
};

}  // namespace yard::engine::testing

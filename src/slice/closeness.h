// How one GPU of a machine reaches another; shown wherever GPUs are shown.
#pragma once

#include <string_view>

namespace yard::slice {

// Nearest first.
enum class Closeness {
  kNvlink,
  kBoard,     // two GPUs of one board
  kSwitch,    // through one PCIe switch
  kSwitches,  // through several of them
  kBridge,    // through the processor's PCIe bridge
  kNuma,      // through several bridges of one NUMA node
  kSystem,    // from one NUMA node to another
};

constexpr std::string_view Name(Closeness closeness) {
  switch (closeness) {
    case Closeness::kNvlink:
      return "nvlink";
    case Closeness::kBoard:
      return "board";
    case Closeness::kSwitch:
      return "switch";
    case Closeness::kSwitches:
      return "switches";
    case Closeness::kBridge:
      return "bridge";
    case Closeness::kNuma:
      return "numa";
    case Closeness::kSystem:
      return "system";
  }
  return "system";
}

}  // namespace yard::slice

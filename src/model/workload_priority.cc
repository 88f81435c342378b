#include "model/workload_priority.h"

#include <array>

namespace yard {
namespace {

constexpr std::array<PriorityClass, 13> kClasses{{{"very-low", 25},
                                                  {"low", 40},
                                                  {"train", 50},
                                                  {"train-high", 55},
                                                  {"train-critical", 60},
                                                  {"medium-low", 65},
                                                  {"interactive-preemptible", 75},
                                                  {"medium", 80},
                                                  {"medium-high", 90},
                                                  {"build", 100},
                                                  {"high", 125},
                                                  {"inference", 125},
                                                  {"very-high", 150}}};

}  // namespace

std::span<const PriorityClass> PriorityClasses() {
  return kClasses;
}

std::optional<std::int64_t> PriorityOf(std::string_view name) {
  for (const PriorityClass& known : kClasses) {
    if (known.name == name) return known.value;
  }
  return std::nullopt;
}

std::string_view DefaultPriorityClass(WorkloadType type) {
  switch (type) {
    case WorkloadType::kWorkspace:
      return "build";
    case WorkloadType::kTraining:
    case WorkloadType::kDistributed:
      return "train";
    case WorkloadType::kInference:
      return "inference";
  }
  return "train";
}

}  // namespace yard

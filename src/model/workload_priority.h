// Priority classes: the names people use, their numbers, and whether such work may be preempted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/workload.h"

namespace yard {

struct PriorityClass {
  std::string_view name;
  std::int64_t value;
};

// Every known class, lowest first.
std::span<const PriorityClass> PriorityClasses();
std::optional<std::int64_t> PriorityOf(std::string_view name);

// The class of work that names none.
std::string_view DefaultPriorityClass(WorkloadType type);

// Without a word of the submitter, priorities from 100 up are never preempted.
constexpr bool PreemptibleByDefault(std::int64_t priority) {
  return priority < 100;
}

}  // namespace yard

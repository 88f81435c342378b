// A task: a training that carries what Farm's clients said about it in an annotation of its spec.
//
// Any member may submit work with such an annotation by other ways; it is shown as a task then.
// What is in it decides nothing. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <boost/json/object.hpp>

#include "base/json.h"
#include "model/attempt.h"
#include "model/workload.h"

namespace yard::facade::farm {

inline constexpr std::string_view kTaskAnnotation = "omniverse-farm-task";
// Farm's priority of a task for which none is given; 0 is the highest.
inline constexpr std::int64_t kUsualPriority = 65535;

bool IsTask(const Workload& workload);
// What the annotation says; empty if it says nothing.
json::object NoteOf(const Workload& workload);

// What Farm calls the state of a task; `newest` is its newest attempt, or null. The note says which
// exit codes are a success.
std::string_view StatusOf(const Workload& workload, const Attempt* newest,
                          const json::object& note);
bool IsStatus(std::string_view word);

struct TaskView {
  const Workload* workload = nullptr;
  const Attempt* newest = nullptr;
  std::string_view project;
};
// A task as Farm gives it.
json::object TaskJson(const TaskView& view);

}  // namespace yard::facade::farm

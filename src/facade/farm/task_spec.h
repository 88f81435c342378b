// From a job definition and what somebody wants of it to the spec of a workload. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/json.h"
#include "base/result.h"

namespace yard::facade::farm {

// A submission.
struct TaskOrder {
  std::string type;  // the name of the job definition
  std::string user = {};
  std::string comment = {};
  std::string function = {};
  json::object args = {};
  json::object function_args = {};
  json::object requirements = {};
  json::object metadata = {};
  json::array labels = {};
  std::int64_t priority = 0;
  bool hold = false;  // "unscheduled": until somebody submits it
};
Result<TaskOrder> ReadTaskOrder(const json::object& body);

struct TaskSpec {
  json::object spec;
  std::vector<std::string> credentials = {};  // all values of which become variables
};
Result<TaskSpec> SpecOf(const json::object& definition, const TaskOrder& order);

// A name that a workload may have.
std::string WorkloadName(std::string_view task_type);
// Farm's number as one of the priority classes; empty: the usual one.
std::string_view PriorityClassOf(std::int64_t priority);

}  // namespace yard::facade::farm

// The command line of a task: the definition's own arguments, and those that the task gives to the
// names which the definition allows.
//
// Each argument stays one word, whatever it holds: no shell sees it. Pure.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "base/json.h"
#include "base/result.h"

namespace yard::facade::farm {

// kInvalid if `allowed_args` is not of Farm's form.
Status CheckAllowedArguments(const json::object& definition);

// Without the command. kInvalid if the task names an argument that is not allowed.
Result<std::vector<std::string>> ArgumentsOf(const json::object& definition,
                                             const json::object& task_args);

}  // namespace yard::facade::farm

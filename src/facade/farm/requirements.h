// The capacity requirements of a job definition, which are fields of a Kubernetes pod in snake_case
// or camelCase, as parts of a workload's spec.
//
// Pure functions over bytes from outside; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/json.h"
#include "base/result.h"

namespace yard::facade::farm {

struct Requirements {
  json::object spec;                     // parts of a workload's spec
  std::vector<std::string> credentials;  // all values of which become variables (env_from)
  std::vector<std::string> ignored;      // requirements that mean nothing here, as they were named
};

// kInvalid with the requirement that cannot be kept and must not be dropped silently.
Result<Requirements> ReadRequirements(const json::object& requirements);

// A list of Kubernetes' variables as that of a spec; `where` names it in messages.
Result<json::array> ReadVariables(const json::value& list, std::string_view where);
// A number, a truth value or a text as text; nothing for a list or an object.
std::optional<std::string> PlainText(const json::value& value);
// Replaces the variable of that name.
void PutVariable(json::array& variables, json::object variable);

}  // namespace yard::facade::farm

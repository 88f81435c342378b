// A job definition: what is taken of the one that somebody sends, how it is stored, and how it is
// given back. Pure.
//
// A definition that is kept can be run: everything that a task would be refused for later is
// refused when it is saved.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "base/json.h"
#include "base/result.h"
#include "model/asset.h"

namespace yard::facade::farm {

struct ReadDefinition {
  json::object definition = {};           // Farm's fields and no others, each with a value
  std::vector<std::string> ignored = {};  // fields and requirements that mean nothing here
};
Result<ReadDefinition> CheckDefinition(const json::object& body);

// Values of variables stand apart in what is stored, where the audit log hides them.
Document StoredForm(const json::object& definition);
json::object DefinitionOf(const Setting& setting);

}  // namespace yard::facade::farm

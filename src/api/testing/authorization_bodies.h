// The smallest valid body of a route, made from its schema, for the authorisation tests.
//
// Pure function; thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace yard::api::testing {

// What to send in fields of these names, wherever a schema has them: plain text for texts and
// numbers, JSON for the rest.
using Fields = std::map<std::string, std::string, std::less<>>;

// JSON text with the required fields of a type in schema notation and those that `fields` names.
std::string SampleBody(std::string_view type, const Fields& fields);

}  // namespace yard::api::testing

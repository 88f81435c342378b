// Looking into parsed JSON without ceremony: a field that is absent, null or of another type is
// simply not there. For values that were validated when they came in.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "base/json.h"

namespace yard::control {

// Empty if it is not there.
std::string_view TextOrEmpty(const json::object& object, std::string_view name);
std::optional<std::int64_t> WholeOf(const json::object& object, std::string_view name);
std::optional<double> NumberOf(const json::object& object, std::string_view name);
bool FlagOrFalse(const json::object& object, std::string_view name);
// An empty object or list if it is not there; valid as long as `object`.
const json::object& ObjectOrEmpty(const json::object& object, std::string_view name);
const json::array& ListOrEmpty(const json::object& object, std::string_view name);

}  // namespace yard::control

// Small looks into the JSON of specs and policies, shared by the parts of the policy engine.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "wire/fields.h"

namespace yard::control {

using wire::Amount;
using wire::FlagIn;
using wire::FlagOrFalse;
using wire::ListIn;
using wire::ListOrEmpty;
using wire::ObjectIn;
using wire::ObjectOrEmpty;
using wire::TextOrEmpty;
using wire::ValueIn;

// A default or rule for a list of items: {attributes, instances}.
bool IsItemized(const json::object& node);
// What tells items of one list apart: name, resource, id, claimName, path or url.
std::string_view ItemName(const json::value& item);
json::object* FindItem(json::array& items, std::string_view name);
const json::object* FindItem(const json::array& items, std::string_view name);

// The value a rule {field, factor} gives: the field's, times the factor. A quantity stays one.
std::optional<json::value> Derive(const json::object& root, const json::object& from);

// "a.b.c" inside an object, or nullptr.
const json::value* ValueAt(const json::object& root, std::string_view path);

// For messages: texts in quotes, everything else as JSON.
std::string Show(const json::value& value);

}  // namespace yard::control

// Settings on the wire: a value of any type under the member "value".
#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "model/asset.h"

namespace yard::wire {

Document SettingDocument(const json::value& value);
// The value of a setting; null if it has none.
json::value SettingValue(const Setting& setting);

// The value as people write it; absent: it has none.
std::optional<std::string> SettingText(const Setting& setting);

// A value as people write it: a text as it is, true and false as on and off; empty for a list or an
// object.
std::string PlainText(const json::value& value);

}  // namespace yard::wire

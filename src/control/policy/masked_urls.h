// URLs whose credentials were masked on the way out (base/mask.h) and that come back in a request.
//
// Pure functions; any thread.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace yard::control {

// Puts the credentials of `current` back into what a client read masked and sends again unchanged.
// A mask with nothing behind it is refused. `current` may be null; `root` is the field's name.
Status Unmask(json::value& sent, const json::value* current, std::string_view root);

// The same for a field that is new.
Status RefuseMasks(const json::value& sent, std::string_view root);

}  // namespace yard::control

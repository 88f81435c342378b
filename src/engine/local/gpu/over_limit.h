// The setting that says what happens to work that holds more GPU memory than its part.
#pragma once

#include <string_view>

#include "base/result.h"
#include "engine/local/options.h"

namespace yard::engine {

// "refuse", or with answers of single projects: "refuse,vision=kill,robots=warn".
Result<GpuOverLimitRules> ParseOverLimit(std::string_view text);

}  // namespace yard::engine

// Refusing a request for what is wrong with its fields.
#pragma once

#include <vector>

#include "base/result.h"

namespace yard {

// Success if nothing is wrong, else kInvalid with everything that is.
Status RefuseFields(std::vector<FieldIssue> issues);

}  // namespace yard

// Headers: explained, used, and complete on their own.
//
// A header proves that it is complete by being the first include of some source file; if it has a
// source file of its own, of that one. A module without any source file is an announced interface
// and is left alone until it gets one.
#pragma once

#include <span>
#include <vector>

#include "tools/tidy/source.h"

namespace yard::tools {

void CheckHeaders(std::span<const Source> sources, std::vector<Finding>& findings);

}  // namespace yard::tools

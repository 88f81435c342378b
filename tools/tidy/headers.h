// Headers: explained, used, and complete on their own.
//
// A header with a source file of its own is the first include of that file, which proves that it is
// complete. Other headers of src/ are compiled alone by the build; outside src/ they must be the
// first include of some source file. A module without any source file is an announced interface
// and is left alone until it gets one.
#pragma once

#include <span>
#include <vector>

#include "tools/tidy/source.h"

namespace yard::tools {

void CheckHeaders(std::span<const Source> sources, std::vector<Finding>& findings);

}  // namespace yard::tools

// The layers: which module may include which. One table, kept in layers.cc.
#pragma once

#include <span>
#include <vector>

#include "tools/tidy/source.h"

namespace yard::tools {

// Tests may include every module below their own, since a test may build what it stands on.
void CheckLayers(const Source& source, std::vector<Finding>& findings);

// A rule for a file that does not exist guards nothing. Looks only at a tree that holds the table.
void CheckLayerTable(std::span<const Source> sources, std::vector<Finding>& findings);

}  // namespace yard::tools

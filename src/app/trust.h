// Puts the local certificate authority into the system's list of trusted ones, and takes it out.
#pragma once

#include <string>

#include "base/result.h"

namespace yard::app {

// Says on standard error what it does. Needs root.
Status Trust(const std::string& data_dir);
Status Distrust();

}  // namespace yard::app

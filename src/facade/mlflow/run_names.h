// Names for runs that were given none, such as "brave-harbor-217".
#pragma once

#include <string>

#include "base/random.h"

namespace yard::facade::mlflow {

std::string RandomRunName(Random& random);

}  // namespace yard::facade::mlflow

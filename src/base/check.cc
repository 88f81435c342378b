#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace yard {

void CheckFailed(std::string_view condition, std::string_view file, int line) {
  std::fprintf(stderr, "gpuyard: internal error: %.*s at %.*s:%d\n",
               static_cast<int>(condition.size()), condition.data(), static_cast<int>(file.size()),
               file.data(), line);
  std::abort();
}

}  // namespace yard

// The part of python/gpuyard that brings the runs of another server over, as text in the program.
#pragma once

#include <array>

namespace yard::cli {

struct ImportCode {
  const char* name;
  const char* text;
};
extern const std::array<ImportCode, 2> kImportCode;

}  // namespace yard::cli

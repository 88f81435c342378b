// The least that a module's image will take of a GPU's memory: the global variables of a compiled
// image (ELF), or of text that the driver compiles (PTX). Of packed images nothing is known: zero.
#pragma once

#include <cstdint>

namespace yard::slice::cuda {

std::uint64_t ImageBytes(const void* image);

}  // namespace yard::slice::cuda

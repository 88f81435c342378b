// The books of the slice (cuda/books.h), found in the libcuda.so.1 that lies beside the layer: the
// same that CUDA programs of the process have loaded, or will. The place decides, never the
// environment.
#pragma once

#include "slice/cuda/books.h"

namespace yard::slice::vulkan {

// Null if it is not there: then no GPU is of the slice. Threads: any.
const Books* SliceBooks();

}  // namespace yard::slice::vulkan

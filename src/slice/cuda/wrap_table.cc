#include "slice/cuda/copy.h"
#include "slice/cuda/cuda_real.h"
#include "slice/cuda/wrappers.h"

namespace yard::slice::cuda {

const Wrap kWraps[kWrapCount] = {
#define W(name, fn, when) {#name, reinterpret_cast<void*>(&fn), When::when},
#include "slice/cuda/cuda_wraps.inc"
#undef W
};

}  // namespace yard::slice::cuda

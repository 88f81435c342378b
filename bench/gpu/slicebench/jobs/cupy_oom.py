"""Asks CuPy for more than the slice, catches the refusal, and computes on."""
import os
import sys

import cupy
import numpy as np

hard = int(sys.argv[1])
if os.environ.get("CUPY_JOB_ASYNC"):
    cupy.cuda.set_allocator(cupy.cuda.malloc_async)
print("total", cupy.cuda.runtime.memGetInfo()[1])
try:
    cupy.empty(hard + (1 << 30), dtype=cupy.uint8)
    print("granted")
except (cupy.cuda.memory.OutOfMemoryError, cupy.cuda.runtime.CUDARuntimeError) as error:
    print("refused", type(error).__name__)
kept = []
try:
    while True:
        kept.append(cupy.full(64 << 20, 5, dtype=cupy.uint8))
except (cupy.cuda.memory.OutOfMemoryError, cupy.cuda.runtime.CUDARuntimeError):
    print("filled", len(kept) * 64)
assert all(int(k[-1]) == 5 for k in kept)
kept.clear()
cupy.get_default_memory_pool().free_all_blocks()
cupy.cuda.Device().synchronize()
x = np.random.default_rng(1).standard_normal(1 << 20)
print("right" if abs(float(cupy.asarray(x).sum()) - x.sum()) < 1e-6 else "wrong")

"""Takes more GPU memory than its part in one of the ways that docs/gpu-slices.md names, and holds it.

    escape.py WAY REAL_LIBCUDA GIB

WAY: real (the driver by its path), past (through the library first, then past it), written (the shared
limits are written). Says when it took how much.
"""
import ctypes
import re
import sys
import time

way, real, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3]) << 30
PART_OFFSET, HARD_OFFSET, LIMIT_OFFSET = 192, 24, 56  # src/slice/region.h


def start(path):
    cuda = ctypes.CDLL(path)
    context = ctypes.c_void_p()
    codes = [cuda.cuInit(0), cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), cuda.cuCtxSetCurrent(context)]
    return cuda, codes


def take(cuda):
    pointer, taken = ctypes.c_ulonglong(), 0
    while taken < wanted and cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(1 << 30)) == 0:
        taken += 1 << 30
    return taken


def write_region():
    for line in open("/proc/self/maps"):
        if "gpuyard-slice" in line:
            base = int(re.match(r"[0-9a-f]+", line).group(0), 16)
            for offset in (HARD_OFFSET, LIMIT_OFFSET):
                ctypes.c_ulonglong.from_address(base + PART_OFFSET + offset).value = 100 << 30
            return
    print("no region", flush=True)


if way in ("past", "written"):
    ours, began = start("libcuda.so.1")
if way == "written":
    write_region()
    library = ours
else:
    library, began = start(real)
print("codes", began, flush=True)
got = take(library)
print("took %.3f %d MiB" % (time.time(), got >> 20), flush=True)
time.sleep(15)

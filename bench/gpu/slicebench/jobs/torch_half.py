"""Fills 95 percent of its slice, then multiplies matrices for a while."""
import sys
import time

import torch

hard, seconds = int(sys.argv[1]), float(sys.argv[2])
total = torch.cuda.mem_get_info()[1]
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
b = a @ a
torch.cuda.synchronize()
free = torch.cuda.mem_get_info()[0]
wanted = int(0.95 * hard) - (hard - free)
held = torch.full((wanted,), 3, dtype=torch.uint8, device="cuda")
filled = 1 - torch.cuda.mem_get_info()[0] / total
try:
    torch.empty(int(0.1 * hard), dtype=torch.uint8, device="cuda")
    print("granted")
except torch.OutOfMemoryError:
    print("refused")
count, start = 0, time.monotonic()
while time.monotonic() - start < seconds:
    for _ in range(20):
        torch.matmul(a, a, out=b)
    torch.cuda.synchronize()
    count += 20
right = total == hard and int(held[-1]) == 3 and int(held[0]) == 3 and bool(b.isfinite().all())
print("right" if right else "wrong", "filled %.3f" % filled, "products", count)

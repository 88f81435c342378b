"""A service that needs 1.6 ms of the GPU each 25 ms: how long a request takes, in ms.

    service.py START SECONDS
    service.py                 the same for each line of input
"""
import sys
import time

import torch

x = torch.randn(64, 64, device="cuda")
torch.cuda._sleep(1000)
torch.cuda.synchronize()
clock = 1
for _ in range(5):  # cycles for 1.6 ms
    began = time.perf_counter()
    torch.cuda._sleep(1_000_000)
    torch.cuda.synchronize()
    clock = 1_000_000 / (time.perf_counter() - began)
cycles = int(clock * 1.6e-3)
print("ready", flush=True)


def measure(start, seconds):
    while time.time() < start:
        time.sleep(0.001)
    took, due = [], time.perf_counter()
    while time.time() < start + seconds:
        due += 0.025
        time.sleep(max(0, due - time.perf_counter()))
        began = time.perf_counter()
        torch.cuda._sleep(cycles)
        torch.cuda.synchronize()
        took.append(1000 * (time.perf_counter() - began))
    took.sort()
    print("ms", took[len(took) // 2], took[len(took) * 9 // 10], took[len(took) * 99 // 100], flush=True)


if len(sys.argv) > 2:
    measure(float(sys.argv[1]), float(sys.argv[2]))
else:
    for line in sys.stdin:
        measure(*map(float, line.split()))

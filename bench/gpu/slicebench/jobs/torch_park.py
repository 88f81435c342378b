"""Holds four GiB of random numbers; answers each line with their sum."""
import sys

import torch

numbers = torch.randint(0, 1 << 30, (1 << 30,), dtype=torch.int32, device="cuda")
print("ready", flush=True)
for _ in sys.stdin:
    print(sum(int(part.sum(dtype=torch.int64)) for part in numbers.split(1 << 24)), flush=True)

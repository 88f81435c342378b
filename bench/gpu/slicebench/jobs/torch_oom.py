"""Asks PyTorch for more than the slice, catches the refusal, and computes on."""
import sys

import torch

hard = int(sys.argv[1])
total = torch.cuda.mem_get_info()[1]
print("total", total)
try:
    torch.empty(hard + (1 << 30), dtype=torch.uint8, device="cuda")
    print("granted")
except torch.OutOfMemoryError:
    print("refused")
kept = []
try:
    while True:
        kept.append(torch.full((64 << 20,), 7, dtype=torch.uint8, device="cuda"))
except torch.OutOfMemoryError:
    print("filled", len(kept) * 64)
assert all(int(k[-1]) == 7 for k in kept)
kept.clear()
torch.cuda.empty_cache()
x = torch.randn(1024, 1024, device="cuda")
expected = x.double().cpu() @ x.double().cpu()
error = (x @ x).double().cpu().sub(expected).norm() / expected.norm()
print("right" if error < 1e-2 else "wrong", float(error))

"""A Triton kernel before and after PyTorch was refused memory."""
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


def check():
    n = 100_000
    x, y = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
    out = torch.full_like(x, float("nan"))
    add[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
    return torch.equal(out, x + y)


first = check()
try:
    torch.empty(int(sys.argv[1]) + (1 << 30), dtype=torch.uint8, device="cuda")
    print("granted")
except torch.OutOfMemoryError:
    print("refused")
print("right" if first and check() else "wrong")

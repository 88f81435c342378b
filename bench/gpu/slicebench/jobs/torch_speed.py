"""Answers each line with microseconds: "gemm" of a bf16 8192-cubed product, "steps" of one eager
training step. Ready when it has said "ready"."""
import sys
import time

import torch

torch.manual_seed(0)
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
b, out = torch.randn_like(a), torch.empty_like(a)
layers = [torch.nn.Linear(1024, 1024), torch.nn.ReLU()] * 6
model = torch.nn.Sequential(*layers).cuda()
optimiser = torch.optim.SGD(model.parameters(), lr=1e-3)
x = torch.randn(256, 1024, device="cuda")


def gemm():
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(3):
        torch.matmul(a, b, out=out)
    first.record()
    for _ in range(10):
        torch.matmul(a, b, out=out)
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) * 1000 / 10


def steps():
    started = time.perf_counter()
    for _ in range(20):
        optimiser.zero_grad()
        model(x).square().mean().backward()
        optimiser.step()
    torch.cuda.synchronize()
    return (time.perf_counter() - started) * 1e6 / 20


for _ in range(3):
    gemm(), steps()
print("ready", flush=True)
for line in sys.stdin:
    print(gemm() if line.strip() == "gemm" else steps(), flush=True)

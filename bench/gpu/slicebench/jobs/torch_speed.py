"""Median microseconds of a bf16 8192-cubed product, and of one eager training step."""
import statistics
import time

import torch


def gemm():
    a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    b, out = torch.randn_like(a), torch.empty_like(a)
    for _ in range(20):
        torch.matmul(a, b, out=out)
    times = []
    for _ in range(8):
        first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        first.record()
        for _ in range(50):
            torch.matmul(a, b, out=out)
        last.record()
        torch.cuda.synchronize()
        times.append(first.elapsed_time(last) * 1000 / 50)
    return statistics.median(times)


def steps():
    layers = [torch.nn.Linear(1024, 1024), torch.nn.ReLU()] * 6
    model = torch.nn.Sequential(*layers).cuda()
    optimiser = torch.optim.SGD(model.parameters(), lr=1e-3)
    x, times = torch.randn(256, 1024, device="cuda"), []
    for round_ in range(11):
        started = time.perf_counter()
        for _ in range(150):
            optimiser.zero_grad()
            model(x).square().mean().backward()
            optimiser.step()
        torch.cuda.synchronize()
        if round_ > 0:
            times.append((time.perf_counter() - started) * 1e6 / 150)
    return statistics.median(times)


print(gemm(), steps())

"""Trains a small GPT, eagerly, so that launching is what takes the time; steps between two moments.

    gpt.py START SECONDS
    gpt.py                 the same for each line of input
"""
import sys
import time

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2)
                   for part in self.qkv(self.first(x)).chunk(3, -1))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(nn.functional.gelu(self.up(self.second(x))))


torch.manual_seed(1)
words, width, length = 8192, 768, 128
model = nn.Sequential(nn.Embedding(words, width), *[Block(width, 12) for _ in range(6)],
                      nn.LayerNorm(width), nn.Linear(width, words)).cuda().bfloat16()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, foreach=False)
tokens = torch.randint(0, words, (4, length + 1), device="cuda")


def step():
    loss = nn.functional.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


for _ in range(5):
    step()
torch.cuda.synchronize()
print("ready", flush=True)


def measure(start, seconds):
    while time.time() < start:
        step()
    torch.cuda.synchronize()
    count, began = 0, time.time()
    while time.time() < start + seconds:
        step()
        count += 1
    torch.cuda.synchronize()
    print("rate", count / (time.time() - began), flush=True)


if len(sys.argv) > 2:
    measure(float(sys.argv[1]), float(sys.argv[2]))
else:
    for line in sys.stdin:
        measure(*map(float, line.split()))

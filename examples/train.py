"""A small real training, with nothing but Python: a neural network learns the exclusive or."""
import math
import random
import time

random.seed(7)
HIDDEN = 4
data = [((a, b), a ^ b) for a in (0, 1) for b in (0, 1)]
w1 = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(HIDDEN)]
w2 = [random.uniform(-1, 1) for _ in range(HIDDEN + 1)]


def forward(x):
    hidden = [math.tanh(w[0] * x[0] + w[1] * x[1] + w[2]) for w in w1]
    out = sum(w * h for w, h in zip(w2, hidden)) + w2[-1]
    return hidden, 1 / (1 + math.exp(-out))


def step(x, target, rate):
    hidden, out = forward(x)
    error = out - target
    for i, h in enumerate(hidden):
        back = error * w2[i] * (1 - h * h)
        w2[i] -= rate * error * h
        for j, value in enumerate((*x, 1)):
            w1[i][j] -= rate * back * value
    w2[-1] -= rate * error
    return -math.log(out if target else 1 - out)


started = time.monotonic()
for epoch in range(1, 2001):
    loss = sum(step(x, target, 0.5) for x, target in data) / len(data)
    if epoch % 400 == 0:
        print(f"epoch {epoch:5d}  loss {loss:.4f}", flush=True)
right = sum(round(forward(x)[1]) == target for x, target in data)
print(f"right {right} of {len(data)} after {time.monotonic() - started:.2f} s", flush=True)
raise SystemExit(0 if right == len(data) else 1)

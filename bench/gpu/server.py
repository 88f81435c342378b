#!/usr/bin/env python3
"""Parts of a real GPU through the whole server: `gpuyard run --gpu 0.5` on an NVIDIA machine.

    bench/gpu/server.py FOLDER-OF-GPUYARD RESULTS_FOLDER

Starts a server of its own in a temporary folder, runs PyTorch programs as work on it, kills and
restarts the server under them, and prints `ok NAME figures` or `not ok NAME reason` for each
claim; the same lines go to RESULTS_FOLDER/server.txt. It changes no setting of the GPU.
"""
import json
import re
import time

from trial import (GREED, HOLD, HOME, PYTHON, SEE, gy, leaves_nothing, main, phase_of, physical, say,
                   smi, start, submit, wait_for)

# Kernels a second that do nothing for so many cycles: products of matrices heat the GPU, whose clock is
# higher with pauses between them, so that a third of the time is more than a third of the work.
WORK = """
import time, torch
torch.cuda._sleep(1000)
torch.cuda.synchronize()
count, start = 0, time.time()
while time.time() < start + 4:
    for _ in range(20):
        torch.cuda._sleep(400_000)
    torch.cuda.synchronize()
    count += 20
print('rate', count / (time.time() - start))
"""


def sees(*flags):
    return int(gy("run", *flags, "--", PYTHON, "-c", SEE).split("seen")[1].split()[1])


def hold(name, share, go):
    submit(name, "--gpu", "0.5", "--", PYTHON, "-c", HOLD, str(share), str(go))


def two_halves(server):
    go = HOME / "go"
    for name in ("left", "right"):
        hold(name, 0.95, go)
    held = [int(wait_for(n, "held").split("held")[1].split()[0]) for n in ("left", "right")]
    gpus = gy("gpus")
    say("two-halves-side-by-side", all(h > 0.45 * physical() for h in held),
        f"{[h >> 20 for h in held]} MiB of {physical() >> 20}")
    say("isolation-is-shown", gpus.count("cooperative") >= 3, " | ".join(gpus.splitlines()))
    hold("third", 0.1, go)
    time.sleep(1)
    say("a-third-half-waits", phase_of("third") == "Pending", phase_of("third"))
    server.kill()
    server.wait()
    yield start()
    go.touch()
    for name in ("left", "right", "third"):
        log = wait_for(name, "intact")
        gy("wait", name)
        say(f"{name}-lives-through-a-killed-server", phase_of(name) == "Completed",
            log.strip().splitlines()[-1])


def growth():
    """From a quarter to a limit that changes, and a neighbour who needs what was lent."""
    go = HOME / "go-growth"
    submit("grows", "--gpu", "0.25", "--gpu-limit", "0.7", "--", PYTHON, "-c", HOLD, "0.95", str(go))
    held = int(wait_for("grows", "held").split("held")[1].split()[0])
    say("a-quarter-grows-to-its-limit", held > 0.6 * physical(), f"{held >> 20} MiB")
    gy("update", "grows", "--gpu-limit", "0.9")
    until, total = time.time() + 20, 0
    while time.time() < until and total < 0.85 * physical():
        total = int(gy("exec", "grows", "--", PYTHON, "-c", SEE).split("seen")[1].split()[1])
    say("a-limit-changes-while-it-runs", total > 0.85 * physical(), f"{total >> 20} MiB")
    submit("late", "--gpu", "0.5", "--", "sleep", "60")
    until, told = time.time() + 20, ""
    while time.time() < until and "above its request" not in told:
        told = gy("show", "grows", "-o", "json", check=False)
        time.sleep(0.3)
    line = re.search(r"holds [^\"]* above its request[^\"]*", told)
    say("the-holder-is-named-to-its-owner", line is not None, line.group(0) if line else told[-300:])
    go.touch()
    gy("wait", "grows")
    say("memory-in-use-was-not-taken", phase_of("grows") == "Completed", phase_of("grows"))
    gy("cancel", "late", check=False)


def share():
    rate = {}
    for mode in ("none", "strict"):
        out = gy("run", "--gpu", "0.3", "--gpu-compute", mode, "--", PYTHON, "-c", WORK)
        rate[mode] = float(out.split("rate")[1].split()[0])
    got = rate["strict"] / rate["none"]
    say("a-strict-share-of-time", abs(got - 0.3) < 0.04, f"{100 * got:.1f} % of the whole, asked 30")


def telemetry():
    """What the server says of the GPU is what nvidia-smi says."""
    gpu = json.loads(gy("gpus", "-o", "json"))[0]
    health = gpu.get("health", {})
    uuid, limit, clock, degrees, watts = smi("uuid,power.limit,clocks.max.sm,temperature.gpu,power.draw")
    same = gpu["uuid"] == uuid and abs(health.get("powerLimitWatts", 0) - float(limit)) < 1 and \
        health.get("smClockMaxMhz") == int(clock)
    near = abs(health.get("temperatureCelsius", -99) - int(degrees)) <= 5 and \
        0.3 < health.get("powerWatts", 0) / float(watts) < 3
    say("the-gpu-tells-how-it-is", same and near, json.dumps(health))


def claims(server):
    """Yields the server whenever it is another one."""
    telemetry()
    whole = sees("--gpu", "1")
    say("a-whole-gpu-is-whole", whole > 0.97 * physical(), f"{whole >> 20} MiB")
    half = sees("--gpu", "0.5")
    say("half-a-gpu-is-half", abs(half - physical() / 2) < 0.02 * physical(), f"{half >> 20} MiB")
    some = sees("--gpu-memory", "20G")
    say("memory-by-size", 0 <= some - 20 * 10**9 < 1 << 20, f"{some >> 20} MiB")
    greed = gy("run", "--gpu", "0.25", "--", PYTHON, "-c", GREED)
    say("more-is-refused-as-out-of-memory", "refused, and goes on: 1000.0" in greed, greed.strip())
    yield from two_halves(server)
    growth()
    share()
    again = sees("--gpu", "0.5")
    say("half-is-half-after-a-restart", again == half, f"{again >> 20} MiB")
    leaves_nothing()


main("server", claims)

"""Inside a part of a GPU: fills it with every kind of memory, by one process and by several, and says
after each what NVML saw, by the real library that it opens by its path.

    limits.py CLIENT REAL_NVML CAP_MIB

One JSON line a row: codes of the fills, the most that NVML saw of all processes on the GPU, what it saw
when the part was full, and what was left free by then.
"""
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from slicebench.lab import GIB, MIB, TORCH_FILL, Most, Nvml, Talk  # noqa: E402

CLIENT, REAL_NVML, CAP = sys.argv[1], sys.argv[2], int(sys.argv[3]) * MIB
KINDS = ["linear", "pitch", "managed", "async", "pool", "vmm", "vmmheld", "array", "mip", "graph", "module"]
STEPS = [250 * MIB, 62 * MIB, 14 * MIB, 2 * MIB]
truth = Nvml(REAL_NVML)


def mib(count):
    return round(count / MIB, 1)


def tell(row, codes, most, full, **more):
    print(json.dumps(dict(row=row, codes=codes, over_mib=mib(most.bytes - CAP), full_mib=mib(full),
                          short_mib=mib(CAP - full), **more)), flush=True)


def open_client():
    return Talk([CLIENT, "libcuda.so.1"])


def one_kind(kind):
    with Most(truth) as most:
        client = open_client()
        codes = [int(client.ask("init"))]
        for step in STEPS:
            codes.append(client.numbers("fill %s %d %d" % (kind, step, CAP + 6 * GIB))[0])
        free = client.numbers("info")[1]
        time.sleep(0.2)
        full = sum(truth.processes().values())
        if kind == "managed":  # it is there when it is used
            full = CAP - free
        freed = int(client.ask("freeall"))
        again = client.numbers("alloc linear %d" % (5 * GIB))[0]
        client.close()
    tell(kind, codes, most, full, freed=freed, again=again)


def too_much(row, line):
    """Asks for more than the part at once; then the part must still be usable."""
    with Most(truth) as most:
        client = open_client()
        client.ask("init")
        code = client.numbers(line)[0]
        time.sleep(0.2)
        full = sum(truth.processes().values())
        usable = client.numbers("alloc linear %d" % GIB)[0]
        client.close()
    tell(row, [code], most, full, usable=usable)


def several(count):
    with Most(truth) as most:
        clients = [open_client() for _ in range(count)]
        for client in clients:
            client.send("init")
        codes = [int(client.receive()) for client in clients]
        for step in STEPS:
            for client in clients:
                client.send("fill linear %d %d" % (step, CAP + 6 * GIB))
            codes += [int(client.receive(60).split()[0]) for client in clients]
        time.sleep(0.2)
        full = sum(truth.processes().values())
        for client in clients:
            client.close()
    tell("%d processes" % count, codes, most, full)


def crowd(count, seconds):
    with Most(truth) as most:
        clients = [open_client() for _ in range(count)]
        for client in clients:
            client.ask("init")
        for i, client in enumerate(clients):
            client.send("hammer %d %d %d" % (seconds, i + 1, 1500 * MIB))
        codes = [int(client.receive(seconds + 30).split()[0]) for client in clients]
        for client in clients:
            client.close()
    tell("%d processes at random" % count, codes, most, most.bytes)


def torch(name, settings):
    import os
    env = dict(os.environ, **({"PYTORCH_CUDA_ALLOC_CONF": settings} if settings else {}))
    with Most(truth) as most:
        program = subprocess.Popen([sys.executable, "-c", TORCH_FILL], env=env, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        said = program.stdout.readline().strip()
        time.sleep(0.2)
        full = sum(truth.processes().values())
        rest = program.communicate("\n", timeout=60)[0].strip()
    tell("torch " + name, [program.returncode], most, full, said=[said, rest])


for one in KINDS:
    one_kind(one)
too_much("local memory", "alloc kernel %d" % (96 << 10))
too_much("device heap", "alloc heap %d" % (24 * GIB))
too_much("contexts", "fill context 1 100")
for number in (4, 6):
    several(number)
crowd(6, 5)
torch("default", "")
torch("expandable", "expandable_segments:True")
torch("async", "backend:cudaMallocAsync")
print("end", flush=True)

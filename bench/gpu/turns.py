#!/usr/bin/env python3
"""Several builds of the slice libraries and keeper beside each other and beside no slice, in turn:

    bench/gpu/turns.py RESULTS_FOLDER NAME=BUILD_FOLDER...

Each build is a folder made by build.sh. Every figure is taken of each build and natively, in an order
that changes from round to round; given are medians. Prints one JSON line a row, and writes the same
lines to RESULTS_FOLDER/turns.jsonl as they come. TURNS names some of the rows only.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from slicebench import lab as tools
from slicebench.lab import GIB, MIB, TORCH_FILL, Lab, Most, Talk

JOBS = pathlib.Path(__file__).resolve().parent / "slicebench" / "jobs"
RESULTS = pathlib.Path(sys.argv[1])
LABS = {}
NATIVE = "native"
ROUNDS = int(os.environ.get("TURNS_ROUNDS", "3"))
TORCH = [sys.executable, "-u"]


def tell(row, **figures):
    line = json.dumps(dict(row=row, **figures))
    print(line, flush=True)
    with open(RESULTS / "turns.jsonl", "a") as log:
        log.write(line + "\n")


def plain():
    return next(iter(LABS.values())).build + "/plain_static"


class Pair:
    """Parts of one build for some programs, or none; removed in the end."""

    def __init__(self, name, shares, bytes_each=20 * GIB):
        self.parts = [] if name == NATIVE else [
            LABS[name].add(bytes_each, share, mode) if share else LABS[name].add(bytes_each)
            for share, mode in shares]
        self.envs = [part.env() for part in self.parts] or [None] * len(shares)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for part in self.parts:
            part.remove()


def fair(*shares):
    return [(share, "fair") for share in shares]


def in_turn(names, rounds=ROUNDS):
    names = list(names)
    for number in range(rounds):
        yield from names[number % len(names):] + names[:number % len(names)]


def work(kind, envs, seconds=3):
    """Kernels a second of each program, over the same time."""
    start = time.time() + 1.5
    running = [tools.start([plain(), "work", kind, f"{start:.6f}", str(seconds)], env, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for env in envs]
    rates = []
    for process in running:
        words = process.communicate(timeout=seconds + 25)[0].split()
        rates.append(int(words[0]) / float(words[1]) if len(words) == 2 else 0.0)
    return rates


def gpu_bound():
    for kind, seconds in (("small", 4), ("sync", 4), ("graph", 4), ("long", 8)):
        alone = work(kind, [None], 1.5)[0]
        for shares, rounds in (((300, 700), 2), ((100, 900), 2), ((500, 500), 1)):
            got = {name: [] for name in LABS}
            for name in in_turn(LABS, 1 if kind == "long" else rounds):
                with Pair(name, fair(*shares)) as pair:
                    got[name].append(work(kind, pair.envs, seconds))
            tell(f"shares {kind} {'/'.join(str(s // 10) for s in shares)}", **{
                name: {"percent": [round(100 * rates[0] / max(sum(rates), 1e-9), 1) for rates in rows],
                       "sum_of_alone": [round(100 * sum(rates) / alone, 1) for rates in rows]}
                for name, rows in got.items()})


def ask(talks, seconds, wait=0.7):
    """Figures of programs that are told to run at the same time."""
    line = f"{time.time() + wait:.3f} {seconds}"
    for talk in talks:
        talk.send(line)
    return [[float(word) for word in talk.receive(60).split()[1:]] for talk in talks]


def started(command, pairs, count):
    """So many programs of each pair, all at once."""
    talks = {name: [Talk(command, env) for env in pair.envs[:count]] for name, pair in pairs.items()}
    for name, programs in talks.items():
        if any(talk.receive(90) != "ready" for talk in programs):
            raise RuntimeError(f"a program did not start: {name}")
    return talks


def launch_bound(rounds=5, seconds=4):
    gpt = TORCH + [str(JOBS / "gpt.py")]
    names = [NATIVE, *LABS]
    pairs = {name: Pair(name, fair(500, 500)) for name in names}
    talks = started(gpt, pairs, 2)
    rates = {name: [] for name in names}
    alone = []
    for name in in_turn(names, rounds):
        if name == NATIVE:
            alone.append(ask(talks[name][:1], 2)[0][0])
        rates[name].append([row[0] for row in ask(talks[name], seconds)])
    sums = {name: statistics.median(map(sum, rows)) for name, rows in rates.items()}
    tell("launch-bound pair", alone=round(statistics.median(alone), 1), **{
        name: {"sum": round(sums[name], 1), "percent_of_native": round(100 * sums[name] / sums[NATIVE], 1),
               "rounds": [[round(rate, 1) for rate in row] for row in rates[name]]} for name in names})
    close(talks, pairs)


def close(talks, pairs):
    for name, programs in talks.items():
        for talk in programs:
            talk.close()
        pairs[name].__exit__()


def service(rounds=ROUNDS, seconds=5):
    ways = {NATIVE: (NATIVE, fair(300, 700))}
    for name in LABS:
        ways[f"{name} fair"] = (name, fair(300, 700))
        ways[f"{name} interactive"] = (name, [(300, "interactive"), (700, "fair")])
    pairs = {way: Pair(name, shares) for way, (name, shares) in ways.items()}
    talks = started(TORCH + [str(JOBS / "service.py")], pairs, 1)
    alone = ask(talks[NATIVE], 3)[0]
    trainer_alone = work("small", [None], 1.5)[0]
    rows = {way: [] for way in ways}
    for way in in_turn(ways, rounds):
        start = time.time() + 2
        trainer = tools.start([plain(), "work", "small", f"{start:.6f}", str(seconds)], pairs[way].envs[1],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        figures = ask(talks[way], seconds - 0.2, start - time.time() + 0.1)[0]
        words = trainer.communicate(timeout=30)[0].split()
        rows[way].append(figures + [100 * int(words[0]) / float(words[1]) / trainer_alone])
    native = statistics.median(row[2] for row in rows[NATIVE])
    tell("service beside a trainer", alone_ms=[round(figure, 2) for figure in alone], **{
        way: {"ms_and_trainer": [[round(figure, 1) for figure in row] for row in found],
              "p99_of_native": round(statistics.median(row[2] for row in found) / native, 2)}
        for way, found in rows.items()})
    close(talks, pairs)


def cost(rounds=3):
    """ns a call more than the driver's own function takes, in one process; natively that is noise."""
    names = [NATIVE, *LABS]
    for title, share in (("memory only", None), ("with share", 1000)):
        added = {name: {} for name in names}
        for name in in_turn(names, rounds):
            with Pair(name, [(share, "fair")], 60 * GIB) as pair:
                lab = next(iter(LABS.values()))
                words = tools.run([plain(), "cost", lab.real_cuda], pair.envs[0], 60).split()
            for call, at in (("launch", 0), ("graph", 3), ("alloc", 6), ("alloc_async", 9)):
                added[name].setdefault(call, []).append(float(words[at + 1]) - float(words[at]))
        tell(f"cost of calls, {title}, ns more than the driver's", **{
            name: {call: {"median": round(statistics.median(row), 1), "rounds": [round(x) for x in row]}
                   for call, row in found.items()} for name, found in added.items()})


def torch_async(cap=20 * GIB):
    for name in in_turn(LABS):
        env = dict(PYTORCH_CUDA_ALLOC_CONF="backend:cudaMallocAsync")
        with Pair(name, [(None, "fair")], cap) as pair, Most(LABS[name].nvml) as most:
            talk = Talk(TORCH + ["-c", TORCH_FILL], dict(pair.envs[0], **env))
            said = talk.receive(90)
            time.sleep(0.2)
            full = sum(LABS[name].nvml.processes().values())
            said += " " + talk.ask("")
            talk.close()
        tell("torch with cudaMallocAsync", build=name, over_mib=round((most.bytes - cap) / MIB, 1),
             short_mib=round((cap - full) / MIB, 1), said=said)


STEPS = {"async": torch_async, "gpu": gpu_bound, "launch": launch_bound, "service": service, "cost": cost}


def main():
    RESULTS.mkdir(parents=True, exist_ok=True)
    for word in sys.argv[2:]:
        name, build = word.split("=", 1)
        LABS[name] = Lab(os.path.abspath(build), str(RESULTS))
    failed = 0
    for step in os.environ.get("TURNS", " ".join(STEPS)).split():
        began = time.time()
        try:
            STEPS[step]()
        except Exception as error:  # the other rows are still taken
            failed = 1
            tell(step, failed=f"{type(error).__name__}: {error}"[:500])
        tell(step + " took", seconds=round(time.time() - began, 1))
    tools.sweep(None)
    sys.exit(failed)


main()

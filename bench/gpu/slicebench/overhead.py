"""T10: what a slice costs.

Calls are compared inside one process, the driver's own function and the one the slice gives out in
turn, so that what differs between two processes does not show. GEMM and training steps are
compared between processes that live side by side and take turns. The same calls in separate
processes, one after the other, are recorded beside them and judged by nobody.
"""
import os
import statistics
import sys
import time

from .lab import GIB, Talk, run

HERE = os.path.dirname(os.path.abspath(__file__)) + "/jobs/"
CALLS = ("launch", "graph", "alloc", "alloc_async")
ROUNDS = {"gemm": 12, "steps": 16}


def plain(lab, env, *words):
    return run([lab.build + "/plain_static", *map(str, words)], env, 60).split()


def inside(lab, env):
    """ns per call: the driver's function, the one given out; and whether both are the same."""
    words = plain(lab, env, "cost", lab.real_cuda)
    rows = [words[i:i + 3] for i in range(0, len(words), 3)]
    return {name: {"driver": float(row[0]), "given": float(row[1]), "same": row[2] == "1"}
            for name, row in zip(CALLS, rows)}


def middle(runs):
    """The run with the median difference, for each call."""
    out = {}
    for name in CALLS:
        rows = sorted((r[name] for r in runs), key=lambda row: row["given"] - row["driver"])
        row = rows[len(rows) // 2]
        added = row["given"] - row["driver"]
        out[name] = dict(row, added_ns=round(added, 2),
                         added_percent=round(100 * added / row["driver"], 3))
    return out


def whole(lab, env):
    """The same in a process of its own, through the runtime too."""
    launches = plain(lab, env, "launch", 200000)
    figures = dict(zip(("launch_driver_ns", "launch_runtime_ns"), launches))
    figures["graph_ns"] = plain(lab, env, "graph", 5000)[0]
    figures.update(zip(("alloc_ns", "alloc_async_ns"), plain(lab, env, "alloc", 5000, 100000)))
    return {key: float(value) for key, value in figures.items()}


def training(lab, env):
    """Medians of processes that take turns: two without and two within the slice."""
    command = [sys.executable, HERE + "torch_speed.py"]
    talks = [Talk(command, e) for e in (None, env, env, None)]
    for talk in talks:
        if talk.receive(40) != "ready":
            raise RuntimeError("torch_speed.py did not start")
    out = {}
    for what, rounds in ROUNDS.items():
        seen = [[] for _ in talks]
        for _ in range(rounds):
            for talk, row in zip(talks, seen):
                row.append(float(talk.ask(what)))
        each = [statistics.median(row) for row in seen]
        native, sliced = (each[0] + each[3]) / 2, (each[1] + each[2]) / 2
        out[what] = {"native_us": round(native, 3), "slice_us": round(sliced, 3),
                     "each_us": [round(e, 3) for e in each],
                     "added_percent": round(100 * (sliced / native - 1), 3),
                     "noise_percent": round(100 * abs(each[0] - each[3]) / native, 3)}
    for talk in talks:
        talk.close()
    return out


def start_ms(lab, env):
    """Until cuInit is done and the context is there."""
    started = time.monotonic()
    client = lab.client(env)
    client.ask("init")
    took = time.monotonic() - started
    client.close()
    return 1000 * took


def startup(lab, env):
    pairs = [(start_ms(lab, None), start_ms(lab, env)) for _ in range(9)]
    native, sliced = (statistics.median(column) for column in zip(*pairs))
    return {"native_ms": round(native, 2), "slice_ms": round(sliced, 2),
            "added_ms": round(sliced - native, 2)}


def judge(memory_only, shared, torch, start):
    return {"launch <= 0.3 %": memory_only["launch"]["added_percent"] <= 0.3 or
            memory_only["launch"]["same"],
            "graph <= 0.5 %": memory_only["graph"]["added_percent"] <= 0.5,
            "alloc <= 1 us": memory_only["alloc"]["added_ns"] <= 1000,
            "alloc_async <= 1 us": memory_only["alloc_async"]["added_ns"] <= 1000,
            "launch with share <= 1 %": shared["launch"]["added_percent"] <= 1,
            "graph with share <= 1 %": shared["graph"]["added_percent"] <= 1,
            "gemm <= 0.1 %": torch["gemm"]["added_percent"] <= 0.1,
            "step <= 0.5 %": torch["steps"]["added_percent"] <= 0.5,
            "start <= 5 ms": start["added_ms"] <= 5}


def t10(lab):
    part, shared = lab.add(60 * GIB), lab.add(60 * GIB, share=1000, mode="fair")
    env, shared_env = part.env(), shared.env()
    floor = middle([inside(lab, None) for _ in range(3)])
    memory_only = middle([inside(lab, env) for _ in range(3)])
    with_share = middle([inside(lab, shared_env) for _ in range(3)])
    torch = training(lab, env)
    start = startup(lab, env)
    apart = {name: whole(lab, e) for name, e in
             (("native", None), ("slice", env), ("share", shared_env), ("native again", None))}
    part.remove()
    shared.remove()
    good = judge(memory_only, with_share, torch, start)
    return {"pass": all(good.values()), "good": good, "without_slice": floor,
            "memory_only": memory_only, "with_share": with_share, "torch": torch, "start": start,
            "separate_processes": apart}

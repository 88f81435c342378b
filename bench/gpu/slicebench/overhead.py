"""T10: what a slice costs.

Calls are compared inside one process, the driver's own function and the one the slice gives out in
turn, so that what differs between two processes does not show. GEMM and training steps are
compared between processes that live side by side on the same processor cores and take turns, by the
floor of each (the tenth of its rounds that were fastest): what disturbs a round makes it longer,
never shorter. The same calls in separate processes, one after the other, are recorded beside them
and judged by nobody.
"""
import os
import statistics
import sys
import time

from .lab import GIB, Talk, judge_cost, run

HERE = os.path.dirname(os.path.abspath(__file__)) + "/jobs/"
CALLS = ("launch", "graph", "alloc", "alloc_async")
ROUNDS = 50
WITHIN = (False, True, True, False, False, True)  # processes without and within the slice


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
    """GEMM, small training steps, which wait for the processor, and large ones, which wait for the
    GPU, in processes that take turns, another one first in each round."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    # Every process with its memory at the same addresses: where it lies makes a percent or two.
    command = ["setarch", "-R", "taskset", "-c", ",".join(map(str, cores)), sys.executable,
               HERE + "torch_speed.py"]
    talks = [Talk(command, dict(env if within else os.environ, PYTHONHASHSEED="0"))
             for within in WITHIN]
    for talk in talks:
        if talk.receive(60) != "ready":
            raise RuntimeError("torch_speed.py did not start")
    seen = {what: [[] for _ in talks] for what in ("gemm", "steps", "train")}
    for turn in range(ROUNDS):
        for i in range(len(talks)):
            at = (turn + i) % len(talks)
            for what, rows in seen.items():
                rows[at].append(float(talks[at].ask(what)))
    for talk in talks:
        talk.close()
    return {what: compare(rows) for what, rows in seen.items()}


def floor(row):
    """The mean of the fastest tenth."""
    best = sorted(row)[:max(1, len(row) // 10)]
    return sum(best) / len(best)


def compare(rows):
    """Mean of the floors within over mean of those without. As noise, the larger of how far apart
    the latter are among themselves and how far the same by medians is from this."""
    floors, medians = [floor(row) for row in rows], [statistics.median(row) for row in rows]
    native = [f for f, within in zip(floors, WITHIN) if not within]
    added, by_medians = added_percent(floors), added_percent(medians)
    apart = 100 * (max(native) - min(native)) / statistics.mean(native)
    return {"floors_us": [round(f, 3) for f in floors],
            "medians_us": [round(m, 3) for m in medians],
            "added_percent": round(added, 3), "by_medians_percent": round(by_medians, 3),
            "noise_percent": round(max(apart, abs(added - by_medians)), 3)}


def added_percent(figures):
    within, without = (statistics.mean(f for f, inside_ in zip(figures, WITHIN) if inside_ == side)
                       for side in (True, False))
    return 100 * (within / without - 1)


def graphs(lab, env, shared_env):
    """Added percent of the time until 2000 graphs of 100 kernels have run, memory only and with
    share: medians of rounds, each without, memory only, share and the same backwards."""
    added = {"memory_only": [], "with_share": []}
    native = []
    for _ in range(3):
        times = [float(plain(lab, e, "graph", 2000)[1])
                 for e in (None, env, shared_env, shared_env, env, None)]
        base = times[0] + times[5]
        native.append(base / 2)
        added["memory_only"].append(100 * ((times[1] + times[4]) / base - 1))
        added["with_share"].append(100 * ((times[2] + times[3]) / base - 1))
    out = {name: round(statistics.median(row), 3) for name, row in added.items()}
    return dict(out, native_ns=round(statistics.median(native), 1),
                rounds={name: [round(x, 3) for x in row] for name, row in added.items()})


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


def small_enough(row, percent):
    return judge_cost(row["added_percent"], percent, row["noise_percent"])


def judge(calls, torch, start, ran):
    """`calls`: without a slice (which shows the noise), memory only, with a share."""
    floor, memory_only, shared = calls

    def call(rows, name, percent):
        return judge_cost(rows[name]["added_percent"], percent, abs(floor[name]["added_percent"]))
    return {"graphs until run <= 0.5 %": ran["memory_only"] <= 0.5,
            "graphs until run with share <= 1 %": ran["with_share"] <= 1,
            "launch <= 0.3 %": memory_only["launch"]["same"] or call(memory_only, "launch", 0.3),
            "graph call <= 0.5 %": call(memory_only, "graph", 0.5),
            "alloc <= 1 us": memory_only["alloc"]["added_ns"] <= 1000,
            "alloc_async <= 1 us": memory_only["alloc_async"]["added_ns"] <= 1000,
            "launch with share <= 1 %": call(shared, "launch", 1),
            "graph call with share <= 1 %": call(shared, "graph", 1),
            "gemm <= 0.1 %": small_enough(torch["gemm"], 0.1),
            "small step <= 0.5 %": small_enough(torch["steps"], 0.5),
            "large step <= 0.5 %": small_enough(torch["train"], 0.5),
            "start <= 5 ms": start["added_ms"] <= 5}


def t10(lab):
    part, shared = lab.add(60 * GIB), lab.add(60 * GIB, share=1000, mode="fair")
    env, shared_env = part.env(), shared.env()
    floor = middle([inside(lab, None) for _ in range(3)])
    memory_only = middle([inside(lab, env) for _ in range(3)])
    with_share = middle([inside(lab, shared_env) for _ in range(3)])
    torch = training(lab, env)
    ran = graphs(lab, env, shared_env)
    start = startup(lab, env)
    apart = {name: whole(lab, e) for name, e in
             (("native", None), ("slice", env), ("share", shared_env), ("native again", None))}
    part.remove()
    shared.remove()
    good = judge((floor, memory_only, with_share), torch, start, ran)
    return {"pass": False not in good.values(), "good": good, "without_slice": floor,
            "memory_only": memory_only, "with_share": with_share, "torch": torch, "start": start,
            "graphs": ran,
            "separate_processes": apart}

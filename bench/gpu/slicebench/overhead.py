"""T10: what a slice costs, in the order native, slice, slice, native."""
import os
import statistics
import sys
import time

from .lab import GIB, run

HERE = os.path.dirname(os.path.abspath(__file__)) + "/jobs/"


def plain(lab, env, *words):
    return [float(w) for w in run([lab.build + "/plain_static", *map(str, words)], env).split()]


def measure(lab, env, with_torch):
    figures = dict(zip(("launch_driver_ns", "launch_runtime_ns"),
                       plain(lab, env, "launch", 500000)))
    figures["graph_ns"] = plain(lab, env, "graph", 10000)[0]
    figures.update(zip(("alloc_ns", "alloc_async_ns"), plain(lab, env, "alloc", 10000, 200000)))
    if with_torch:
        words = run([sys.executable, HERE + "torch_speed.py"], env, 60).split()
        figures["gemm_us"], figures["step_us"] = float(words[0]), float(words[1])
    return figures


def startup(lab, env):
    """Median seconds until cuInit and the context are there, and of cuInit alone."""
    times = []
    for _ in range(9):
        started = time.monotonic()
        client = lab.client(env)
        client.ask("init")
        times.append(time.monotonic() - started)
        client.close()
    return statistics.median(times)


def compare(native, sliced):
    out = {}
    for key in native[0]:
        a = statistics.mean(run_[key] for run_ in native)
        b = statistics.mean(run_[key] for run_ in sliced)
        spread = 100 * abs(native[0][key] - native[-1][key]) / a
        out[key] = {"native": round(a, 3), "slice": round(b, 3), "noise_percent": round(spread, 3),
                    "added_percent": round(100 * (b - a) / a, 3), "added": round(b - a, 3)}
    return out


LIMITS = {"gemm_us": 0.1, "launch_driver_ns": 0.3, "launch_runtime_ns": 0.3, "graph_ns": 0.5,
          "step_us": 0.5}


def within(compared):
    """Each figure against its aim, as it stands; noise excuses nothing."""
    good = {key: compared[key]["added_percent"] <= limit
            for key, limit in LIMITS.items() if key in compared}
    for key in ("alloc_ns", "alloc_async_ns"):
        good[key] = compared[key]["added"] <= 1000
    return good


def unclear(compared):
    """Figures whose two native runs differ by more than the aim: these prove nothing either way."""
    return [key for key, limit in LIMITS.items()
            if key in compared and compared[key]["noise_percent"] > limit]


def t10(lab):
    part = lab.add(60 * GIB)
    env = part.env()
    order = [None, env, env, None]
    runs = [measure(lab, e, True) for e in order]
    compared = compare([runs[0], runs[3]], [runs[1], runs[2]])
    shared = lab.add(60 * GIB, share=1000, mode="fair")
    with_share = dict(zip(("launch_driver_ns", "launch_runtime_ns"),
                          plain(lab, shared.env(), "launch", 500000)))
    share = {key: round(100 * (value / compared[key]["native"] - 1), 3)
             for key, value in with_share.items()}
    start = {"native_ms": 1000 * startup(lab, None), "slice_ms": 1000 * startup(lab, env)}
    part.remove()
    shared.remove()
    good = within(compared)
    good["start"] = start["slice_ms"] - start["native_ms"] <= 5
    good["share"] = max(share.values()) <= 1
    return {"pass": all(good.values()), "good": good,
            "noise_above_aim": unclear(compared), "compared": compared,
            "share_added_percent": share, "share_ns": with_share, "start": start}

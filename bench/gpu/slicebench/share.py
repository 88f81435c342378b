"""T11: compute shares, counted by kernels that finished on the device."""
import subprocess
import time

from . import lab as tools
from .lab import GIB

KINDS = ["small", "sync", "graph", "long"]
SPLITS = [(500, 500), (300, 700), (100, 900)]
SECONDS = {"small": 3, "sync": 3, "graph": 3, "long": 5}


def work(lab, kind, envs, seconds):
    """Kernels a second of each process, all over the same span of time."""
    start = time.time() + 1.2
    running = [tools.start([lab.build + "/plain_static", "work", kind, "%.6f" % start,
                            str(seconds)], env, text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL) for env in envs]
    rates = []
    for process in running:
        out, _ = process.communicate(timeout=seconds + 20)
        words = out.split()
        rates.append(int(words[0]) / float(words[1]) if len(words) == 2 else 0.0)
    return rates


def split(lab, kind, shares, mode, alone):
    parts = [lab.add(10 * GIB, share, mode) for share in shares]
    rates = work(lab, kind, [part.env() for part in parts], SECONDS[kind])
    for part in parts:
        part.remove()
    got = [100 * rate / alone for rate in rates]
    total = sum(got)
    return {"percent_of_alone": [round(g, 2) for g in got], "sum": round(total, 2),
            "relative": [round(100 * g / total, 2) if total else 0 for g in got]}


def t11(lab):
    outcome, good = {}, True
    for kind in KINDS:
        alone = work(lab, kind, [None], 1.5)[0]
        allowed = 4 if kind == "long" else 2
        rows = {"alone_per_s": round(alone, 1)}
        for shares in SPLITS:
            row = split(lab, kind, shares, "fair", alone)
            errors = [abs(r - s / 10) for r, s in zip(row["relative"], shares)]
            row["ok"] = max(errors) <= allowed and row["sum"] >= 95
            rows["%d/%d" % shares] = row
            good = good and row["ok"]
        row = split(lab, kind, (500,), "strict", alone)
        row["ok"] = abs(row["percent_of_alone"][0] - 50) <= allowed
        rows["strict 500 alone"] = row
        good = good and row["ok"]
        outcome[kind] = rows
    return {"pass": good, "kinds": outcome}

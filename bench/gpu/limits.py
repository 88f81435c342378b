#!/usr/bin/env python3
"""Never over, through the whole server: every kind of memory in a part of a GPU, with NVML's truth; the
ways past the library, each with the time until its event; and what is shown of each workload.

    bench/gpu/limits.py FOLDER-OF-GPUYARD RESULTS_FOLDER SLICE_BUILD

SLICE_BUILD has the client program of bench/gpu/build.sh. Prints `ok NAME figures` or `not ok NAME reason`
for each row; the same lines go to RESULTS_FOLDER/limits.txt. It changes no setting of the GPU.
"""
import datetime
import json
import pathlib
import re
import sys
import tempfile
import time

from slicebench.lab import MIB, Nvml, mapped_path
from trial import HOME, PYTHON, gy, leaves_nothing, main, say, say_failed, submit, wait_for

BUILD = pathlib.Path(sys.argv[3]).resolve()
JOBS = pathlib.Path(__file__).resolve().parent / "slicebench" / "jobs"
REAL_CUDA, REAL_NVML = mapped_path("libcuda.so.1"), mapped_path("libnvidia-ml.so.1")
CAP = 20480  # MiB
OVER, SHORT = 2, 32
WARNINGS = ("GpuMemoryOverLimit", "GpuMemoryAboveRequest", "GpuSliceWritten")
REFUSED_ONLY = ("local memory", "device heap", "contexts")  # asked for more than the part at once
truth = Nvml(REAL_NVML)
SIGNS = pathlib.Path(tempfile.mkdtemp(prefix="gy-signs-"))  # work of any account looks there
SIGNS.chmod(0o755)

# Takes all it sees free, in pieces, and holds it.
ALL = """
import os, sys, time, torch
kept, size = [], 1 << 30
print('pid', os.getpid(), flush=True)
while size > 1 << 20:
    try:
        kept.append(torch.empty(size, dtype=torch.uint8, device='cuda'))
    except torch.OutOfMemoryError:
        size //= 2
print('full', torch.cuda.mem_get_info()[1], flush=True)
until = time.time() + 60
while not os.path.exists(sys.argv[1]) and time.time() < until:
    time.sleep(0.05)
"""
SHORT_JOB = """
import time, torch
block = torch.ones(3 << 30, dtype=torch.uint8, device='cuda')
start = time.time()
while time.time() < start + 2:
    x = torch.ones(4096, 4096, device='cuda') @ torch.ones(4096, 4096, device='cuda')
    torch.cuda.synchronize()
"""


def told(name):
    """The warnings of a workload."""
    shown = gy("show", name, "-o", "json", check=False)
    return [word for word in WARNINGS if word in shown]


def judge_row(row):
    figures = (f"NVML at most {row['over_mib']:+.1f} MiB over {CAP}, full {row['full_mib']:.1f}, "
               f"codes {row['codes']}")
    good = row["over_mib"] <= OVER
    name = row["row"]
    if name in REFUSED_ONLY:
        good = good and row["codes"] == [2] and row.get("usable") in (0, 2 if name == "contexts" else 0)
    elif name.startswith("torch"):
        good = good and row["said"] == ["full", "right"]
        figures += f", short {row['short_mib']:.1f}, {row['said']}"
    elif not name.endswith("random"):
        good = good and row["short_mib"] <= SHORT and 2 in row["codes"] and set(row["codes"]) <= {0, 2}
        figures += f", short {row['short_mib']:.1f}"
    if "again" in row:
        good = good and row["again"] == 0
        figures += f", freed and taken again: {row['again']}"
    say("memory-" + name.replace(" ", "-"), good, figures)


def kinds():
    submit("kinds", "--gpu-memory", "20Gi", "--", PYTHON, str(JOBS / "limits.py"),
           str(BUILD / "gpuyard-slice-client"), REAL_NVML, str(CAP))
    log = wait_for("kinds", "\nend\n", 240)
    for line in log.splitlines():
        if line.startswith("{"):
            judge_row(json.loads(line))
    say("memory-no-false-warning", not told("kinds"), f"{told('kinds')}")


def by_size():
    seen = gy("run", "--gpu-memory", "20Gi", "--", PYTHON, "-c",
              "import torch; print('seen', torch.cuda.mem_get_info()[1])")
    total = int(seen.split("seen")[1].split()[0])
    say("twenty-gibibytes-are-twenty", total == 20 << 30, f"{total} bytes")


def halves():
    go = SIGNS / "halves"
    for name in ("first", "second"):
        submit(name, "--gpu", "0.5", "--", PYTHON, "-c", ALL, str(go))
    limits = [int(wait_for(n, "full").split("full")[1].split()[0]) for n in ("first", "second")]
    time.sleep(2.5)
    held = truth.processes()
    pids = [int(re.search(r"pid (\d+)", gy("logs", n)).group(1)) for n in ("first", "second")]
    over = [(held.get(pid, 0) - limit) / MIB for pid, limit in zip(pids, limits)]
    warned = [told(n) for n in ("first", "second")]
    go.touch()
    say("two-halves-take-all-they-see", all(-64 < o <= OVER for o in over) and not any(warned),
        f"NVML {[held.get(p, 0) >> 20 for p in pids]} MiB of {[x >> 20 for x in limits]}: "
        f"{[round(o, 1) for o in over]} over; warnings {warned}")
    shown = json.loads(gy("gpus", "-o", "json"))[0]
    users = {w["name"]: w.get("gpuMemory") for w in shown["workloads"]}
    say("gpus-show-memory-by-workload", all(users.get(n) for n in ("first", "second")) and
        shown["foreign"] == "0Mi", f"{users}, used {shown.get('used')}, foreign {shown['foreign']}")
    for name in ("first", "second"):
        gy("wait", name)


def told_at(since):
    """When the server wrote its first warning about a slice after that moment; none: never."""
    for line in (HOME / "server.log").read_text().splitlines():
        if '"a GPU slice"' in line and "GpuMemoryRefused" not in line and " refused so far" not in line:
            at = datetime.datetime.fromisoformat(json.loads(line)["time"].replace("Z", "+00:00")).timestamp()
            if at > since:
                return at
    return None


def escape(name, way, command):
    """How long after it took the memory its event is there."""
    began = time.time()
    submit(name, "--gpu", "0.25", "--", *command)
    log = wait_for(name, "took", 60)
    taken_at, size = re.search(r"took ([\d.]+) (\d+) MiB", log).groups()
    until, warned = time.time() + 5, told(name)
    while time.time() < until and not warned:
        time.sleep(0.1)
        warned = told(name)
    at = told_at(began)
    after = at - float(taken_at) if at else 99
    shown = gy("show", name, "-o", "json", check=False)
    line = re.search(r"(holds \d+ MiB of GPU memory[^\"]*|a program wrote[^\"]*)", shown)
    say(f"escape-{way}-is-told", bool(warned) and after < 2, f"{size} MiB; {warned} after {after:.1f} s: "
        f"{line.group(1) if line else shown[-200:]}")
    shown = json.loads(gy("gpus", "-o", "json"))[0]
    say(f"escape-{way}-is-its-workloads", shown["foreign"] == "0Mi",
        f"used {shown.get('used')}, foreign {shown['foreign']}")
    gy("cancel", name, check=False)
    gy("wait", name, check=False)


def escapes():
    base = [PYTHON, str(JOBS / "escape.py")]
    escape("cleared", "env-i", ["env", "-i", *base, "real", "libcuda.so.1", "60"])
    escape("bypath", "driver-by-path", [*base, "real", REAL_CUDA, "60"])
    escape("past", "past-the-library", [*base, "past", REAL_CUDA, "60"])
    escape("written", "written-region", [*base, "written", REAL_CUDA, "60"])


def short_job():
    submit("short", "--gpu", "0.5", "--", PYTHON, "-c", SHORT_JOB)
    gy("wait", "short")
    used = json.loads(gy("eff", "short", "-o", "json"))
    used = (used[0] if isinstance(used, list) else used)["used"]
    memory = int((used.get("gpuMemory") or "0Mi").removesuffix("Mi"))
    say("a-job-of-seconds-is-measured", 3072 < memory < 6000 and used.get("gpuPercent") is not None, json.dumps(used))


def claims(server):
    for step in (by_size, kinds, halves, escapes, short_job, leaves_nothing):
        try:
            step()
        except Exception as error:  # the other rows are still printed
            say_failed(step.__name__, error)
    yield server


main("limits", claims)

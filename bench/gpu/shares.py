#!/usr/bin/env python3
"""Shares that never cost what is free, through the whole server: pairs of programs with and without a
share of the GPU's time, beside the same pair without a server.

    bench/gpu/shares.py FOLDER-OF-GPUYARD RESULTS_FOLDER SLICE_BUILD

Prints `ok NAME figures` or `not ok NAME reason`; the same lines go to RESULTS_FOLDER/shares.txt.
"""
import pathlib
import subprocess
import sys
import time

from trial import PYTHON, gy, leaves_nothing, main, say, say_failed, submit

BUILD = pathlib.Path(sys.argv[3]).resolve()
JOBS = pathlib.Path(__file__).resolve().parent / "slicebench" / "jobs"
SECONDS = 5
# Until programs are ready: one of PyTorch has to be read first, and work goes through the server, which
# takes seconds where it is built with sanitizers.
TORCH_START, PLAIN_START, SERVER_START = 11, 4, 8
number = 0


def gpt(start):
    return [PYTHON, str(JOBS / "gpt.py"), f"{start:.3f}", str(SECONDS)]


def service(start):
    return [PYTHON, str(JOBS / "service.py"), f"{start:.3f}", str(SECONDS)]


def work(kind):
    return lambda start: [str(BUILD / "plain_static"), "work", kind, f"{start:.3f}", str(SECONDS)]


def read(out):
    """A rate, or milliseconds of a service."""
    if "ms" in out:
        return [float(word) for word in out.split("ms")[1].split()[:3]]
    if "rate" in out:
        return float(out.split("rate")[1].split()[0])
    words = out.split()
    return int(words[-2]) / float(words[-1])


def start_of(programs):
    return time.time() + (TORCH_START if gpt in programs or service in programs else PLAIN_START)


def native(*programs):
    start = start_of(programs)
    running = [subprocess.Popen(p(start), text=True, stdout=subprocess.PIPE) for p in programs]
    return [read(p.communicate(timeout=90)[0]) for p in running]


def served(*pairs):
    """Of (flags, program): as work of the server."""
    global number
    start, names = start_of([program for _, program in pairs]) + SERVER_START, []
    for flags, program in pairs:
        number += 1
        names.append(f"share-{number}")
        submit(names[-1], *flags, "--", *program(start))
    results = []
    for name in names:
        gy("wait", name)
        results.append(read(gy("logs", name)))
    return results


def fair(part, mode="fair"):
    return ["--gpu", str(part), "--gpu-compute", mode]


def launch_bound():
    alone = native(gpt)[0]
    both = native(gpt, gpt)
    memory_only = served((["--gpu", "0.5"], gpt), (["--gpu", "0.5"], gpt))
    fairly = served((fair(0.5), gpt), (fair(0.5), gpt))
    text = (f"without shares {[round(100 * r / alone, 1) for r in memory_only]} %, "
            f"alone {alone:.1f} steps/s; native pair {[round(100 * r / alone, 1) for r in both]} %, "
            f"fair pair {[round(100 * r / alone, 1) for r in fairly]} %: "
            f"{100 * sum(fairly) / sum(both):.1f} % of the native pair")
    say("two-launch-bound-trainings-lose-nothing", sum(fairly) >= 0.95 * sum(both), text)


def gpu_bound():
    for kind, allowed in (("small", 2), ("sync", 2), ("graph", 2), ("long", 4)):
        alone = native(work(kind))[0]
        for parts in ((0.5, 0.5), (0.3, 0.7)) if kind == "small" else ((0.3, 0.7),):
            got = served(*[(fair(part), work(kind)) for part in parts])
            total = sum(got)
            relative = [100 * rate / total for rate in got]
            # With more than the whole of the GPU they did not run at the same time, which tells nothing.
            good = all(abs(r - 100 * p) <= allowed for r, p in zip(relative, parts)) and \
                0.95 * alone <= total <= 1.03 * alone
            say(f"shares-{kind}-{parts[0]}-{parts[1]}", good,
                f"{[round(r, 1) for r in relative]} %, sum {100 * total / alone:.1f} % of alone")


def beside_a_trainer():
    alone, trainer_alone = native(service)[0], native(work("small"))[0]
    rows = {"native": native(service, work("small"))}
    rows["fair"] = served((fair(0.3), service), (fair(0.7), work("small")))
    rows["interactive"] = served((fair(0.3, "interactive"), service), (fair(0.7), work("small")))
    limit = 2 * rows["native"][0][2]
    for name in ("fair", "interactive"):
        (p50, p90, p99), rate = rows[name]
        say(f"a-service-beside-a-trainer-{name}", p99 <= limit,
            f"p50/p90/p99 {p50:.1f}/{p90:.1f}/{p99:.1f} ms, trainer {100 * rate / trainer_alone:.0f} %; native "
            f"{rows['native'][0][0]:.1f}/{rows['native'][0][1]:.1f}/{rows['native'][0][2]:.1f} ms, "
            f"{100 * rows['native'][1] / trainer_alone:.0f} %; alone p99 {alone[2]:.1f} ms")


def claims(server):
    for step in (launch_bound, beside_a_trainer, gpu_bound, leaves_nothing):
        try:
            step()
        except Exception as error:  # the other rows are still printed
            say_failed(step.__name__, error)
    yield server


main("shares", claims)

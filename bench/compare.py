#!/usr/bin/env python3
"""Two builds of the server beside each other, in one run on one machine.

    bench/compare.py OLD NEW [--rounds N] [--most PERCENT] [--json FILE]

OLD and NEW are programs, each with its gpuyard-shim beside it. Every round measures both, in turns the
one and the other first, each on fresh servers:

  jobs      `true` jobs a second, from the first request to the last durable record
  running   one job after the other: milliseconds from its submission to its start, p50
  creates   durable creations a second with 32 clients, no engine
  get       small GETs a second with 32 clients
  page      milliseconds of one page of workloads, filtered and sorted, p50

Prints the medians and how NEW does beside OLD: above 1 is better, whatever the measure. With --most it
exits 1 if NEW is worse by more than so many percent somewhere. Loopback only.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench/run"))
from client import Connection, Yard, measure_latency, run_jobs  # noqa: E402

PASSWORD = "Bench-password-1"
CLIENTS = 32
# The name of a measure, and whether more of it is better.
MEASURES = {"jobs": True, "running": False, "creates": True, "get": True, "page": False}
UNITS = {"jobs": "/s", "running": "ms", "creates": "/s", "get": "/s", "page": "ms"}


def address_of(process, out):
    """Where the server listens, once it is ready."""
    for _ in range(600):
        words = out.read_text(encoding="utf-8").split()
        url = next((words[i + 1] for i, word in enumerate(words[:-1]) if word == "url"), None)
        if url:
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                urllib.request.urlopen(f"{url}/readyz", timeout=10).close()
                return url
        assert process.poll() is None, f"the server ended: {out.with_name('log').read_text()[-500:]}"
        time.sleep(0.05)
    raise AssertionError("the server did not become ready")


def token_of(url):
    body = json.dumps({"grantType": "password", "username": "admin@gpuyard.local",
                       "password": PASSWORD}).encode()
    ask = urllib.request.Request(f"{url}/api/v1/token", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(ask, timeout=60) as answer:
        return json.load(answer)["accessToken"]


def account_of_tasks(program):
    """Work under the server's own account: older programs call it "self", also where that is root."""
    told = subprocess.run([program, "server", "--help"], capture_output=True, text=True, check=True).stdout
    return "root" if os.geteuid() == 0 and "isolated" in told else "self"


@contextlib.contextmanager
def serving(program, *options):
    """A fresh server; gives what client.py asks it through."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gpuyard-compare-"))
    folder.chmod(0o755)
    with (folder / "out").open("wb") as out, (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [program, "server", "--data-dir", folder / "data", "--listen", "127.0.0.1:0",
             "--tls", "off", "--native-tasks", account_of_tasks(program), *options], stdout=out, stderr=log,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "GPUYARD_ADMIN_PASSWORD": PASSWORD})
    try:
        url = address_of(process, folder / "out")
        yield Yard(url, token_of(url))
    finally:
        process.terminate()
        process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)
        for other in folder.parent.glob(f"{folder.name}*"):
            shutil.rmtree(other, ignore_errors=True)


def gets(yard, seconds):
    """One request in flight on each connection."""
    links = [Connection(yard.url, yard.token) for _ in range(CLIENTS)]
    path, done, began = "/api/v1/version", 0, time.monotonic()
    while time.monotonic() - began < seconds:
        for link in links:
            link.send("GET", path)
        for link in links:
            link.receive()
        done += len(links)
    return done / (time.monotonic() - began)


def page(yard, times):
    took = []
    path = "/api/v1/workloads?filterBy=name%3D%407&sortBy=name&sortOrder=desc&limit=50"
    for _ in range(times):
        began = time.monotonic()
        found = yard.one.ask("GET", path)["workloads"]
        took.append((time.monotonic() - began) * 1000)
        assert found, "the page is empty"
    return statistics.median(took)


def measure(program, sizes):
    """All measures of one program, once."""
    with serving(program) as yard:
        jobs = run_jobs(yard, sizes.jobs, 16)["rate"]
    with serving(program) as yard:
        running = measure_latency(yard, sizes.singles)["p50_ms"]
    with serving(program, "--engine", "none") as yard:
        drafts = [yard.job(f"made-{i}", "true") for i in range(sizes.workloads)]
        began = time.monotonic()
        yard.submit(drafts, CLIENTS)
        creates = len(drafts) / (time.monotonic() - began)
        return {"jobs": jobs, "running": running, "creates": creates,
                "get": gets(yard, sizes.seconds), "page": page(yard, sizes.pages)}


def compare(rounds):
    """The medians of both, and the ratio of each measure."""
    rows = {}
    for name, more_is_better in MEASURES.items():
        old, new = (statistics.median(one[who][name] for one in rounds) for who in ("old", "new"))
        rows[name] = {"old": round(old, 2), "new": round(new, 2),
                      "ratio": round(new / old if more_is_better else old / new, 3)}
    return rows


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--singles", type=int, default=100)
    parser.add_argument("--workloads", type=int, default=5000)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--most", type=float, help="exit 1 if it is worse by more percent")
    parser.add_argument("--json")
    return parser.parse_args()


def main():
    sizes = arguments()
    programs = {"old": sizes.old, "new": sizes.new}
    rounds = []
    for number in range(sizes.rounds):
        order = ("old", "new") if number % 2 == 0 else ("new", "old")
        rounds.append({who: measure(programs[who], sizes) for who in order})
        print(f"# round {number + 1} of {sizes.rounds}: load {os.getloadavg()[0]:.1f}", flush=True)
    rows = compare(rounds)
    print(f"{'measure':<10}{'old':>12}{'new':>12}  {'':<3}{'ratio':>7}")
    for name, row in rows.items():
        print(f"{name:<10}{row['old']:>12}{row['new']:>12}  {UNITS[name]:<3}{row['ratio']:>7}")
    if sizes.json:
        text = json.dumps({"date": time.strftime("%FT%TZ", time.gmtime()), "cores": os.cpu_count(),
                           "rounds": rounds, "medians": rows}, indent=1)
        pathlib.Path(sizes.json).write_text(text + "\n", encoding="utf-8")
    worst = min(row["ratio"] for row in rows.values())
    return 1 if sizes.most is not None and worst < 1 - sizes.most / 100 else 0


if __name__ == "__main__":
    sys.exit(main())

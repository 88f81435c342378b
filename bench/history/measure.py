#!/usr/bin/env python3
"""What a long history costs.

measure.py RESULT.json [COUNT]

Ours: COUNT jobs of `true` go through a server over HTTP: submitted, scheduled, run on simulated machines (no
process is started), ended, moved to the archive. Then the server is stopped and started again.

  start      seconds until it serves again
  resident   MiB of memory, after the start and after all questions
  disk       KiB of the data directory for each job, and its inodes
  page       one page of 50, filtered and sorted: p50 and p99 in ms
  search     a part of a name: p50 and p99 in ms
  report     GPU hours of a year, by user: ms

The peer: slurmdbd on MariaDB with as many job records, written straight into its table, and sacct's questions
for the same. Where Slurm or MariaDB is not installed the peer is left out by name.
"""

import contextlib
import datetime
import json
import os
import pathlib
import sqlite3
import sys
import tempfile
import time
from urllib.parse import quote

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(ROOT / "bench/run"))
sys.path.insert(0, str(ROOT / "tests/lib"))
from accounting import Accounting, missing  # noqa: E402
from client import Connection, Yard  # noqa: E402
from yard import Client, Server  # noqa: E402

RESULT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/bench/history.json")
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
CLIENTS = 32
ROUND = 4_000  # jobs that wait or run at the same time, at the most about twice as many
ROUNDS = 200


def resident(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def spread(times):
    times = sorted(times)
    return {"p50_ms": round(times[len(times) // 2], 2), "p99_ms": round(times[len(times) * 99 // 100], 2)}


def timed(ask, rounds):
    took = []
    for number in range(rounds):
        began = time.monotonic()
        ask(number)
        took.append((time.monotonic() - began) * 1000)
    return spread(took)


def fill(yard):
    """Keeps the queue short, as a lab's is; a queue of a million is another question."""
    began = time.monotonic()
    links = [Connection(yard.url, yard.token) for _ in range(CLIENTS)]
    for first in range(0, COUNT, ROUND):
        numbers = list(range(first, min(first + ROUND, COUNT)))
        for at in range(0, len(numbers), CLIENTS):
            batch = list(zip(links, numbers[at:at + CLIENTS]))
            for link, number in batch:
                words = "false" if number % 20 == 7 else "true"
                link.send("POST", "/api/v1/workloads/trainings",
                          yard.job(f"trial-{number * 7919 % COUNT:x}-{number}", words,
                                   cpuCoreRequest=0.02, cpuMemoryRequest="10Mi"))
            for link, _ in batch:
                link.receive()
        while ended(yard) < numbers[-1] + 1 - ROUND:
            time.sleep(0.05)
    while ended(yard) < COUNT:
        time.sleep(0.5)
    return time.monotonic() - began


def ended(yard):
    return yard.count("Completed") + yard.count("Failed")


def wait_for_the_archive(data):
    """Until nothing that has ended is live."""
    while True:
        with contextlib.closing(sqlite3.connect(f"file:{data}/gpuyard.db?mode=ro", uri=True)) as db:
            if db.execute("SELECT count(*) FROM archive").fetchone()[0] >= COUNT:
                return
        time.sleep(2)


def measure_ours():
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="gyh-"))
    server = Server(scratch)
    try:
        server.start(options=["--engine", "sim"])
        server.wait_ready()
        Client(server.port).settle_in()
        yard = Yard(f"http://127.0.0.1:{server.port}", Client.token)
        filled = fill(yard)
        while_filled = resident(server.process.pid)
        wait_for_the_archive(server.data)
        server.stop()
        began = time.monotonic()
        server.start(options=["--engine", "sim"])
        server.wait_ready()
        started = time.monotonic() - began
        return {"filled_s": round(filled), "resident_when_filled_mib": round(while_filled),
                "start_s": round(started, 2), **ask_ours(server, yard)}
    finally:
        server.remove()
        scratch.joinpath("server.log").unlink(missing_ok=True)
        scratch.rmdir()


def ask_ours(server, before):
    at_rest = resident(server.process.pid)
    client = Client(server.port)
    project = f"projectId=={before.base['projectId']}"
    pages = f"/api/v1/workloads?limit=50&sortOrder=desc&filterBy={quote('phase==Failed,' + project)}"
    this_year = datetime.datetime.now(datetime.timezone.utc)
    year = "&".join(f"{name}={quote(when.strftime('%Y-%m-%dT%H:%M:%SZ'))}" for name, when in (
        ("start", this_year - datetime.timedelta(days=365)), ("end", this_year)))
    figures = {
        "page": timed(lambda i: client.get(f"{pages}&sortBy=name&offset={50 * i}"), ROUNDS),
        "page_by_time": timed(lambda i: client.get(f"{pages}&sortBy=createdAt&offset={50 * i}"), ROUNDS),
        "search_few": timed(lambda i: client.get(f"/api/v1/workloads?limit=50&search=-{i}77"), 20),
        "search_none": timed(lambda i: client.get("/api/v1/workloads?limit=50&search=nowhere"), 20),
        "report": timed(lambda i: client.get(f"/api/v1/usage/report?by=user&{year}"), 10)}
    total = client.get(f"/api/v1/usage/report?by=user&{year}")["total"]["workloads"]
    assert total == COUNT, f"the report counts {total} of {COUNT}"
    files = [path for path in pathlib.Path(server.data).rglob("*")]
    size = sum(path.stat().st_blocks * 512 for path in files if path.is_file())
    return {"resident_mib": round(at_rest), "resident_after_questions_mib": round(resident(server.process.pid)),
            "disk_kib_each": round(size / 1024 / COUNT, 2), "inodes": len(files), **figures}


def measure_peer():
    lack = missing()
    if lack:
        return {"left_out": lack}
    with Accounting() as peer:
        peer.fill(COUNT)
        at_rest = peer.resident_mib()
        figures = {"failed_of_a_day": timed(peer.failed_of_a_day, 10), "named": timed(peer.named, 5)}
        return {"resident_mib": round(at_rest), "resident_after_questions_mib": round(peer.resident_mib()),
                "disk_kib_each": round(peer.disk_kib() / COUNT, 2), **figures}


def main():
    figures = {"count": COUNT, "load": os.getloadavg()[0], "date": time.strftime("%FT%TZ", time.gmtime()),
               "cores": os.cpu_count(), "ours": measure_ours(), "slurmdbd": measure_peer()}
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures tracking through two servers in one run: ours with its defaults, as an L1 researcher, and MLflow's
own with SQLite. measure.py RESULT [RUNS]

- points a second that are acknowledged, from 1, 16 and 256 clients, in batches of 10 and of 1,000
- bytes a point on our disk
- a chart of 320 points over 10^6 points of one metric
- a search over RUNS runs (ours only; MLflow's takes hours to fill)
"""

import json
import os
import pathlib
import platform
import random
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mlflow"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from lab import Lab  # noqa: E402
from load import drive, percentile, request  # noqa: E402
from yard import free_port  # noqa: E402

API = "/api/2.0/mlflow"
SECONDS = 8  # about so long for each figure of ours


class Ours:
    name = "gpuyard"

    def __init__(self, scratch):
        self.lab = Lab(scratch)
        self.port, self.token = self.lab.server.port, self.lab.ada

    def end(self):
        self.lab.end()


class Theirs:
    name = "mlflow"
    token = ""

    def __init__(self, scratch):
        self.port = free_port()
        binary = ROOT / "build/venv/mlflow3/bin/python"
        self.log = open(scratch / "mlflow.log", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [str(binary), "-m", "mlflow", "server", "--host", "127.0.0.1", "--port",
             str(self.port), "--backend-store-uri", f"sqlite:///{scratch}/mlflow.db",
             "--artifacts-destination", str(scratch / "mlflow-artifacts")],
            stdout=self.log, stderr=self.log, start_new_session=True)
        end = time.monotonic() + 180
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).read()
                return
            except OSError:
                time.sleep(0.2)
        raise AssertionError("MLflow's server never answered")

    def end(self):
        os.killpg(self.process.pid, 15)
        self.process.wait()
        self.log.close()


def make_runs(server, count, **more):
    clients = min(count, 16)
    body = {"experiment_id": server.experiment, "start_time": 1_760_000_000_000, **more}
    share = [count // clients + (one < count % clients) for one in range(clients)]
    _, _, answers = drive(server.port, [
        [request("POST", f"{API}/runs/create", server.token, body)] * part for part in share])
    return [json.loads(one)["run"]["info"]["run_id"] for group in answers for one in group]


def batch(server, run, first, points, metric="loss"):
    return request("POST", f"{API}/runs/log-batch", server.token, {
        "run_id": run, "metrics": [
            {"key": metric, "value": round(random.gauss(1, 0.1), 4), "step": step,
             "timestamp": 1_760_000_000_000 + 137 * step} for step in range(first, first + points)]})


def throughput(server, clients, points, batches):
    runs = make_runs(server, clients)
    requests = [[batch(server, run, number * points, points) for number in range(batches)]
                for run in runs]
    seconds, times, _ = drive(server.port, requests)
    return {"points_per_second": round(clients * points * batches / seconds),
            "p50_ms": round(1000 * percentile(times, 0.5), 1),
            "p99_ms": round(1000 * percentile(times, 0.99), 1), "batches": clients * batches}


def batches_for(server, clients, points):
    """Enough for a few seconds, as a short try says; the slow server gets fewer."""
    tried = throughput(server, clients, points, 1)["points_per_second"]
    wanted = SECONDS * tried / (clients * points)
    return max(1, min(int(wanted), 60_000 // (clients * points) + 20))


def chart(server):
    [run] = make_runs(server, 1)
    for first in range(0, 1_000_000, 50_000):
        drive(server.port, [[batch(server, run, start, 1000, "long")
                             for start in range(first, first + 50_000, 1000)]])
    path = (f"{API}/metrics/get-history-bulk-interval?run_ids={run}&metric_key=long"
            "&max_results=320")
    _, times, _ = drive(server.port, [[request("GET", path, server.token)] * 20])
    return {"p50_ms": round(1000 * percentile(times, 0.5), 1),
            "p99_ms": round(1000 * percentile(times, 0.99), 1)}


def search(server, count):
    runs = []
    for _ in range(0, count, 10_000):
        runs += make_runs(server, min(10_000, count - len(runs)),
                          tags=[{"key": "team", "value": "vision"}])
    logs = [request("POST", f"{API}/runs/log-batch", server.token, {
        "run_id": run,
        "metrics": [{"key": key, "value": random.random(), "timestamp": 1, "step": 1}
                    for key in ("acc", "loss", "f1")],
        "params": [{"key": f"p{n}", "value": str(random.randrange(50))} for n in range(5)]})
        for run in runs]
    drive(server.port, [logs[one::64] for one in range(64)])
    queries = ["metrics.acc > 0.99 AND params.p1 = '7'", "metrics.loss < 0.5", "",
               "tags.team = 'vision' AND params.p2 != '3'"]
    orders = [["metrics.f1 DESC"], [], ["attributes.start_time ASC"], ["params.p3 ASC"]]
    asked = [request("POST", f"{API}/runs/search", server.token, {
        "experiment_ids": [server.experiment], "filter": queries[n % 4],
        "order_by": orders[n // 4 % 4], "max_results": 100}) for n in range(200)]
    _, times, _ = drive(server.port, [asked])
    return {"runs": len(runs), "p50_ms": round(1000 * percentile(times, 0.5), 1),
            "p99_ms": round(1000 * percentile(times, 0.99), 1)}


def new_experiment(server, name):
    _, _, [[made]] = drive(server.port, [[request(
        "POST", f"{API}/experiments/create", server.token, {"name": name})]])
    server.experiment = json.loads(made)["experiment_id"]


def disk_bytes(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def beside(ours, theirs):
    rows = []
    for clients in (1, 16, 256):
        for points in (10, 1000):
            row = {"clients": clients, "points_in_a_batch": points}
            for server in (ours, theirs):
                row[server.name] = throughput(server, clients, points,
                                              batches_for(server, clients, points))
            row["ratio"] = round(row["gpuyard"]["points_per_second"] /
                                 row["mlflow"]["points_per_second"], 1)
            print(json.dumps(row), flush=True)
            rows.append(row)
    return rows


def main():
    result = {"machine": f"{os.cpu_count()} cores, {platform.processor() or platform.machine()}",
              "load": os.getloadavg()[0], "date": time.strftime("%Y-%m-%d")}
    with tempfile.TemporaryDirectory(prefix="gyt-bench-") as folder:
        scratch = pathlib.Path(folder)
        ours, theirs = Ours(scratch), Theirs(scratch)
        try:
            for server in (ours, theirs):
                new_experiment(server, "throughput")
            result["throughput"] = beside(ours, theirs)
            series = ours.lab.server.data / "track/series"
            before = disk_bytes(series)
            result["chart_of_a_million"] = chart(ours)
            ours.lab.server.stop()
            result["bytes_of_the_million_points"] = disk_bytes(series) - before
            ours.lab.server.start()
            ours.lab.server.wait_ready()
            new_experiment(ours, "search")
            result["search"] = search(ours, int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)
        finally:
            theirs.end()
            ours.end()
    pathlib.Path(sys.argv[1]).write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps({key: result[key] for key in result if key != "throughput"}), flush=True)


if __name__ == "__main__":
    main()

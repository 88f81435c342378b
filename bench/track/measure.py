#!/usr/bin/env python3
"""Measures tracking through three servers in one run: ours with its defaults, as an L1 researcher,
and MLflow's own with SQLite and with PostgreSQL.

measure.py RESULT [--seconds N] [--runs N] [--points N]

- points a second that are acknowledged and durable, from 1, 16 and 256 clients, in batches of 10
  and of 1,000; N seconds each
- bytes a point on our disk, of --points points of one metric
- a chart of 320 points over them
- a search over --runs runs (ours only; MLflow's takes hours to fill)
"""

import argparse
import contextlib
import json
import os
import pathlib
import platform
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from load import drive, drive_for, percentile, request  # noqa: E402
from servers import MlFlow, Ours, Postgres  # noqa: E402

API = "/api/2.0/mlflow"
MOST_PREPARED = 64 << 20  # bytes of requests for one figure


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


def prepared(server, run, points, count):
    """Batches of one client. Their content is alike but for the steps, or making them would take
    longer than sending them."""
    text = batch(server, run, 0, points).partition(b"\r\n\r\n")[2]
    metrics = json.loads(text)["metrics"]
    requests = []
    for number in range(count):
        for at, metric in enumerate(metrics):
            metric["step"] = number * points + at
            metric["timestamp"] = 1_760_000_000_000 + 137 * metric["step"]
        requests.append(request("POST", f"{API}/runs/log-batch", server.token,
                                {"run_id": run, "metrics": metrics}))
    return requests


def throughput(server, clients, points, seconds):
    runs = make_runs(server, clients)
    one = len(batch(server, runs[0], 0, points))
    count = min(MOST_PREPARED // one, int(server.most_per_second * seconds)) // clients + 1
    requests = [prepared(server, run, points, count) for run in runs]
    passed, times, given_up = drive_for(seconds, server.port, requests)
    if not times:
        return {"points_per_second": 0, "batches": 0, "given_up": given_up}
    return {"points_per_second": round(len(times) * points / passed),
            "p50_ms": round(1000 * percentile(times, 0.5), 1),
            "p99_ms": round(1000 * percentile(times, 0.99), 1),
            "batches": len(times), "given_up": given_up}


def chart(server, points):
    [run] = make_runs(server, 1)
    step = min(50_000, points)
    for first in range(0, points, step):
        drive(server.port, [[batch(server, run, start, 1000, "long")
                             for start in range(first, first + step, 1000)]])
    path = (f"{API}/metrics/get-history-bulk-interval?run_ids={run}&metric_key=long"
            "&max_results=320")
    _, times, _ = drive(server.port, [[request("GET", path, server.token)] * 50])
    return {"points": points, "p50_ms": round(1000 * percentile(times, 0.5), 1),
            "p99_ms": round(1000 * percentile(times, 0.99), 1)}


def search(server, count):
    began = time.monotonic()
    runs = []
    for _ in range(0, count, 10_000):
        runs += make_runs(server, min(10_000, count - len(runs)),
                          tags=[{"key": "team", "value": "vision"}])
    logs = (request("POST", f"{API}/runs/log-batch", server.token, {
        "run_id": run,
        "metrics": [{"key": key, "value": random.random(), "timestamp": 1, "step": 1}
                    for key in ("acc", "loss", "f1")],
        "params": [{"key": f"p{n}", "value": str(random.randrange(50))} for n in range(5)]})
        for run in runs)
    logs = list(logs)
    drive(server.port, [logs[one::64] for one in range(64)])
    filled = time.monotonic() - began
    queries = ["metrics.acc > 0.99 AND params.p1 = '7'", "metrics.loss < 0.5", "",
               "tags.team = 'vision' AND params.p2 != '3'"]
    orders = [["metrics.f1 DESC"], [], ["attributes.start_time ASC"], ["params.p3 ASC"]]
    asked = [request("POST", f"{API}/runs/search", server.token, {
        "experiment_ids": [server.experiment], "filter": queries[n % 4],
        "order_by": orders[n // 4 % 4], "max_results": 100}) for n in range(400)]
    _, times, _ = drive(server.port, [asked])
    return {"runs": len(runs), "filled_in_seconds": round(filled),
            "p50_ms": round(1000 * percentile(times, 0.5), 1),
            "p99_ms": round(1000 * percentile(times, 0.99), 1)}


def new_experiment(server, name):
    _, _, [[made]] = drive(server.port, [[request(
        "POST", f"{API}/experiments/create", server.token, {"name": name})]])
    server.experiment = json.loads(made)["experiment_id"]


def disk_bytes(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def beside(servers, seconds):
    """The last row leaves MLflow with work that nobody waits for any more."""
    rows = []
    for points, clients in ((10, 1), (1000, 1), (10, 16), (1000, 16), (10, 256), (1000, 256)):
        row = {"clients": clients, "points_in_a_batch": points}
        for server in servers:
            row[server.name] = throughput(server, clients, points, seconds)
        ours = row[servers[0].name]["points_per_second"]
        row["ratios"] = {  # none where nothing was answered in the time
            server.name: round(ours / row[server.name]["points_per_second"], 1)
            for server in servers[1:] if row[server.name]["points_per_second"]}
        print(json.dumps(row), flush=True)
        rows.append(row)
    return rows


def bytes_and_chart(ours, points):
    series = ours.lab.server.data / "track/series"
    ours.restart()
    before = disk_bytes(series)
    result = {"chart": chart(ours, points)}
    ours.restart()
    result["bytes_per_point"] = round((disk_bytes(series) - before) / points, 2)
    return result


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--points", type=int, default=1_000_000)
    return parser.parse_args()


def main():
    wanted = arguments()
    result = {"machine": f"{os.cpu_count()} cores, {platform.processor() or platform.machine()}",
              "load": os.getloadavg()[0], "date": time.strftime("%Y-%m-%d")}
    with tempfile.TemporaryDirectory(prefix="gyt-bench-") as folder, contextlib.ExitStack() as stack:
        scratch = pathlib.Path(folder)
        ours = Ours(scratch)
        stack.callback(ours.end)
        with contextlib.ExitStack() as theirs:
            database = Postgres(scratch)
            theirs.callback(database.end)
            servers = [ours]
            for name, store in (("mlflow-sqlite", f"sqlite:///{scratch}/mlflow.db"),
                                ("mlflow-postgresql", database.store)):
                servers.append(MlFlow(name, scratch, store))
                theirs.callback(servers[-1].end)
            for server in servers:
                new_experiment(server, "throughput")
            result["throughput"] = beside(servers, wanted.seconds)
        result.update(bytes_and_chart(ours, wanted.points))
        new_experiment(ours, "search")
        result["search"] = search(ours, wanted.runs)
    wanted.result.write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps({key: result[key] for key in result if key != "throughput"}), flush=True)


if __name__ == "__main__":
    main()

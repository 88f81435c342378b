#!/usr/bin/env python3
"""Kills the server again and again under 16 writers, and counts what it acknowledged and has lost,
doubled or made up. `durable.py KILLS`; three by default."""

import pathlib
import random
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from lab import Lab, Person  # noqa: E402
from yard import GONE, until  # noqa: E402

WRITERS = 16
POINTS = 10  # in a batch


class Writer(threading.Thread):
    """Sends batches with one parameter each; repeats a batch until it is acknowledged."""

    def __init__(self, port, token, experiment):
        super().__init__(daemon=True)
        self.person = Person(port, token)
        self.run_id = self.person.track("runs/create", {"experiment_id": experiment})[1][
            "run"]["info"]["run_id"]
        self.acknowledged = 0  # batches
        self.stopping = threading.Event()

    def batch(self, number):
        steps = range(number * POINTS, (number + 1) * POINTS)
        params = [{"key": f"p{number}", "value": str(number)}] if number % 20 == 0 else []
        return {"run_id": self.run_id, "params": params,
                "metrics": [{"key": "loss", "value": step / 7, "timestamp": step, "step": step}
                            for step in steps]}

    def run(self):
        while not self.stopping.is_set():
            try:
                status, body = self.person.track("runs/log-batch", self.batch(self.acknowledged))
            except GONE:
                time.sleep(0.02)
                continue
            assert status in (200, 503), (status, body)
            if status == 200:
                self.acknowledged += 1

    def check(self):
        """Acknowledged points: each there once, and nothing that was never sent."""
        points, token = [], ""
        while True:
            status, body = self.person.ask(
                "GET", f"/api/2.0/mlflow/metrics/get-history?run_id={self.run_id}"
                       f"&metric_key=loss&max_results=25000&page_token={token}")
            assert status == 200, (status, body)
            points += [(point["step"], point["value"]) for point in body["metrics"]]
            token = body.get("next_page_token", "")
            if not token:
                break
        steps = [step for step, _ in points]
        assert len(steps) == len(set(steps)), "a point is there twice"
        assert all(value == step / 7 for step, value in points), "a point was changed"
        missing = set(range(self.acknowledged * POINTS)) - set(steps)
        assert not missing, f"{len(missing)} acknowledged points are lost"
        assert max(steps, default=0) < (self.acknowledged + 1) * POINTS, "a point was made up"
        data = self.person.ask("GET", f"/api/2.0/mlflow/runs/get?run_id={self.run_id}")[1][
            "run"]["data"]
        params = {one["key"] for one in data.get("params", [])}
        assert {f"p{n}" for n in range(0, self.acknowledged, 20)} <= params, "a parameter is lost"
        return len(steps)


def kill_under_writers(lab, kills, seed=7):
    rng = random.Random(seed)
    person = Person(lab.server.port, lab.ada)
    experiment = person.track("experiments/create", {"name": f"kills {time.time_ns()}"})[1][
        "experiment_id"]
    writers = [Writer(lab.server.port, lab.ada, experiment) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    for _ in range(kills):
        time.sleep(rng.uniform(0.05, 0.8))
        lab.server.kill()
        lab.server.start()
        lab.server.wait_ready()
    until("each has written", lambda: all(writer.acknowledged >= 2 for writer in writers))
    for writer in writers:
        writer.stopping.set()
    for writer in writers:
        writer.join(60)
    before = sum(writer.check() for writer in writers)
    lab.server.kill()
    lab.server.start()
    lab.server.wait_ready()
    for writer in writers:
        writer.person = Person(lab.server.port, lab.ada)
    assert sum(writer.check() for writer in writers) == before
    assert before > WRITERS * POINTS, before
    return before


if __name__ == "__main__":
    KILLS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    LAB = Lab(pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "/tmp/gpuyard-durable"))
    try:
        print(f"{KILLS} kills, {WRITERS} writers: {kill_under_writers(LAB, KILLS)} points, none of "
              "the acknowledged ones lost, none doubled")
    finally:
        LAB.end()

"""Trials per second, end to end.

processes  a study of short trials, each a workload with a process of its own, submitted, scheduled, run, its log
           read and its result on disk; beside Optuna with a journal file, whose objective starts the same process
calls      programs that ask for a trial and tell its result over HTTP; beside Optuna's calls on its journal file

measure.py RESULT.json [TRIALS]. The peer runs a tenth of the trials of each kind.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mlflow"))
from lab import Lab, Person  # noqa: E402

RESULT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/bench/study.json")
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
CONCURRENCY = int(os.environ.get("GPUYARD_STUDY_CONCURRENCY", "64"))
CALLERS = 8
PARAMETERS = [{"name": "x", "low": 0, "high": 1}, {"name": "y", "type": "int", "low": 0, "high": 40}]


def begin(member, project, name, **more):
    status, study = member.ask("POST", "/api/v1/studies", {
        "name": name, "projectId": project,
        "spec": {"objectives": [{"metric": "loss"}], "parameters": PARAMETERS, "sampler": "random",
                 "seed": 1, **more}})
    assert status == 201, (status, study)
    return study["id"]


def processes(member, project):
    start = time.monotonic()
    ident = begin(member, project, "processes", maxTrials=TRIALS, concurrency=CONCURRENCY,
                  workload={"command": ["/bin/echo", '{"loss": ${x}}'],
                            "compute": {"cpuCoreRequest": 0.01}})
    while True:
        _, study = member.ask("GET", f"/api/v1/studies/{ident}")
        if study["state"] != "Running":
            break
        time.sleep(0.2)
    seconds = time.monotonic() - start
    assert study["trials"]["complete"] == TRIALS, (study["message"], study["trials"])
    return seconds


def calls(lab, project):
    count = TRIALS
    ident = begin(Person(lab.server.port, lab.ada), project, "calls", maxTrials=count,
                  concurrency=CALLERS)
    path = f"/api/v1/studies/{ident}/trials"

    def work():
        member = Person(lab.server.port, lab.ada)
        while True:
            status, trial = member.ask("POST", path, {})
            if status != 201:
                return
            value = trial["parameters"]["x"] + trial["parameters"]["y"]
            status, _ = member.ask("POST", f"{path}/{trial['number']}/tell", {"values": [value]})
            assert status == 200

    workers = [threading.Thread(target=work) for _ in range(CALLERS)]
    start = time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.monotonic() - start


def peer(kind, count):
    done = subprocess.run([os.environ["YARD_PEER"], str(pathlib.Path(__file__).parent / "peer.py"),
                           str(count), "4", kind], capture_output=True, text=True, check=True)
    seconds, trials, version = done.stdout.split()
    assert int(trials) == count
    return float(seconds), version


def main():
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="gyb-"))
    lab = Lab(scratch, tasks="isolated" if os.geteuid() == 0 else "self")
    figures = {"trials": TRIALS, "concurrency": CONCURRENCY,
               "load": os.getloadavg()[0]}
    try:
        member = Person(lab.server.port, lab.ada)
        project = str(member.ask("GET", "/api/v1/org-unit/projects")[1]["projects"][0]["id"])
        few = max(TRIALS // 10, 10)
        for kind, ours in (("processes", lambda: processes(member, project)),
                           ("calls", lambda: calls(lab, project))):
            theirs, version = peer("process" if kind == "processes" else "call", few)
            seconds = ours()
            figures[kind] = {"gpuyard_per_s": TRIALS / seconds, "optuna_per_s": few / theirs,
                             "optuna": version}
            print(f"{kind}: gpuyard {TRIALS / seconds:.1f}/s, Optuna {version} with a journal file "
                  f"{few / theirs:.1f}/s", flush=True)
    finally:
        lab.end()
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Optuna with a journal file: COUNT trials by WORKERS threads, each a process of its own or a plain call.

Prints the seconds. Run by measure.py with the peer's Python.
"""

import json
import subprocess
import sys
import tempfile
import time

import optuna

COUNT, WORKERS, KIND = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
optuna.logging.set_verbosity(optuna.logging.ERROR)


def objective(trial):
    x = trial.suggest_float("x", 0, 1)
    y = trial.suggest_int("y", 0, 40)
    if KIND == "call":
        return x + y
    line = subprocess.run(["/bin/echo", json.dumps({"loss": x + y})], capture_output=True, check=True,
                          text=True).stdout
    return json.loads(line)["loss"]


with tempfile.TemporaryDirectory(dir="/tmp") as folder:
    try:
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend
        storage = JournalStorage(JournalFileBackend(f"{folder}/journal"))
    except ImportError:  # older releases
        from optuna.storages import JournalFileStorage, JournalStorage
        storage = JournalStorage(JournalFileStorage(f"{folder}/journal"))
    study = optuna.create_study(storage=storage, sampler=optuna.samplers.RandomSampler(seed=1))
    begin = time.monotonic()
    study.optimize(objective, n_trials=COUNT, n_jobs=WORKERS)
    print(time.monotonic() - begin, len(study.trials), optuna.__version__)

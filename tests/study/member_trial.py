"""A trial of a population: each step gains the more the nearer x is to 0.3. Goes on from the checkpoint it is given.

A state is renamed into its place when it is whole: another trial may read it at any moment.
"""

import json
import os
import pathlib
import sys
import time

STEPS, PACE, STARTS = int(sys.argv[1]), float(sys.argv[2]), pathlib.Path(sys.argv[3])
trial = int(os.environ["GPUYARD_TRIAL"])
with open(STARTS / f"{os.environ['GPUYARD_STUDY']}-{trial}", "a", encoding="utf-8") as file:
    file.write(f"{os.getpid()}\n")


def saved(folder):
    file = pathlib.Path(folder or "/nowhere", "state.json")
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


own = pathlib.Path(os.environ["GPUYARD_CHECKPOINT_DIR"])
own.mkdir(parents=True, exist_ok=True)
state = (saved(own) or saved(os.environ.get("GPUYARD_RESUME_FROM"))
         or {"step": 0, "gain": 0.0, "lineage": []})
state["lineage"].append(trial)
x = json.loads(os.environ["GPUYARD_PARAMS"])["x"]


def save():
    (own / "new").write_text(json.dumps(state), encoding="utf-8")
    (own / "new").rename(own / "state.json")


save()
while state["step"] < STEPS:
    state["step"] += 1
    state["gain"] += 1 - abs(x - 0.3)
    save()
    print(json.dumps({"step": state["step"], "loss": STEPS - state["gain"]}), flush=True)
    time.sleep(PACE)

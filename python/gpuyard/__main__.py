"""python -m gpuyard sync FOLDER...: sends runs that were recorded without a server.
python -m gpuyard tune FILE.py: begins the study of a sweep of Isaac Lab (--help).
python -m gpuyard report FOLDER TAG[=METRIC]... -- COMMAND...: runs a trial that writes TensorBoard's files.
python -m gpuyard import mlflow SOURCE: brings the runs of an MLflow server over (--help)."""

import json
import os
import sys
import time

from . import mlflow_import, report
from .isaac import command
from ._send import Sender, server_id


def sync(folder):
    with open(os.path.join(folder, "run.jsonl"), encoding="utf-8") as file:
        start = json.loads(file.readline())
    run_id = server_id(start["id"], start.get("project"))
    sender = Sender.from_environment(folder, run_id, lambda text: print(text, file=sys.stderr))
    if sender is None:
        print("set GPUYARD_URL and GPUYARD_TOKEN first", file=sys.stderr)
        return 2
    end = time.monotonic() + 120
    while sender.send():
        if time.monotonic() > end:
            print(f"{folder}: the server does not answer; try again later", file=sys.stderr)
            return 1
        time.sleep(0.01)
    return 1 if sender.over else 0


def main(arguments):
    if arguments[:2] == ["import", "mlflow"]:
        return mlflow_import.main(arguments[2:])
    if arguments[:1] == ["tune"]:
        return command.main(arguments[1:])
    if arguments[:1] == ["report"]:
        return report.main(arguments[1:])
    if len(arguments) < 2 or arguments[0] != "sync":
        print(__doc__, file=sys.stderr)
        return 2
    return max(sync(folder) for folder in arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

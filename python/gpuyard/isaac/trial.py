"""One trial of a sweep: resolves its parameters and runs the trainer."""

import json
import os
import random
import shutil
import sys
import tempfile

from . import space, sweep, trainer


def _loaded(payload):
    """The sweep once more, from the files that came along. Its folder goes with the program."""
    folder = tempfile.mkdtemp(prefix="gpuyard-sweep-")
    try:
        for path, text in payload["files"].items():
            where = os.path.join(folder, path)
            os.makedirs(os.path.dirname(where), exist_ok=True)
            with open(where, "w", encoding="utf-8") as file:
                file.write(text)
        return sweep.Sweep(os.path.join(folder, payload["file"]), payload["class"], payload["seed"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main(payload):
    given = json.loads(os.environ["GPUYARD_PARAMS"])
    stopper = live = None
    try:
        if payload["files"]:
            loaded = _loaded(payload)
            live = loaded.cfg
            if payload["stopper"]:
                stopper = loaded.helper(payload["stopper"], "Stopper")
        resolved = sweep.guarded(payload["file"], "sample_from raised",
                                 lambda: space.Resolver(payload["plan"], live, given, payload["seed"]))
    except sweep.LoadError as error:
        print(f"[gpuyard] {error}", file=sys.stderr)
        return 2
    config = resolved.config
    config["runner_args"]["-rid"] = str(random.SystemRandom().randint(10 ** 9, 10 ** 10 - 1))
    command = sweep.command_of(config, payload["python"], payload["workflow"])
    return trainer.Trainer(command, config, payload, stopper).run()

"""Runs on a real MLflow server, as a lab would have made them. `fill.py` makes them, `fill.py grow` goes on."""

import math
import pathlib
import sys
import tempfile

import mlflow
from mlflow import MlflowClient

client = MlflowClient()
if sys.argv[1:] == ["grow"]:
    run = client.search_runs([client.get_experiment_by_name("vision/big").experiment_id],
                             "run_name = 'running'")[0]
    client.log_metric(run.info.run_id, "loss", 0.25, step=9)
    client.log_param(run.info.run_id, "late", "yes")
    sys.exit(0)

mlflow.set_experiment("vision/big")
mlflow.set_experiment_tag("mlflow.note.content", "the note of the experiment")
for number in range(4):
    with mlflow.start_run(run_name=f"run-{number}"):
        mlflow.log_params({f"p{i}": f"v{number}.{i}" for i in range(130)})
        mlflow.set_tags({"team": "vision", "text": "ä🐈" * 20})
        mlflow.log_metrics({"acc": number / 10, "odd": math.nan, "wide": math.inf}, step=-3)
        points = [mlflow.entities.Metric("loss", 1 / (step + 1), 1_700_000_000_000 + step, step)
                  for step in range(2500)]
        for at in range(0, 2500, 1000):
            client.log_batch(mlflow.active_run().info.run_id, points[at:at + 1000])
        with tempfile.TemporaryDirectory() as folder:
            deep = pathlib.Path(folder, "model/data")
            deep.mkdir(parents=True)
            pathlib.Path(folder, "notes ä.txt").write_text(f"notes {number}", encoding="utf-8")
            (deep / "weights.bin").write_bytes(bytes([number]) * 70_000)
            mlflow.log_artifacts(folder)
failed = client.create_run("0", run_name="in the default experiment")
client.set_terminated(failed.info.run_id, "FAILED")
running = client.create_run(client.get_experiment_by_name("vision/big").experiment_id, run_name="running")
client.log_metric(running.info.run_id, "loss", 0.5, step=1)
best = client.search_runs([client.get_experiment_by_name("vision/big").experiment_id], "run_name = 'run-3'")[0]
client.create_registered_model("pilot's model", {"owner": "ada"}, "flies")
for _ in range(2):
    client.create_model_version("pilot's model", f"{best.info.artifact_uri}/model", best.info.run_id)
client.set_registered_model_alias("pilot's model", "champion", "2")

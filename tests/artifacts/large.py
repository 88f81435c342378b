"""MLflow's clients of both major versions with large files: as a whole and in parts."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mlflow"))
from environments import environment  # noqa: E402

SCRIPT = """
import hashlib, os, sys, tempfile
import mlflow
from mlflow.tracking import MlflowClient
size = int(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "weights.bin")
    block = os.urandom(1 << 20)
    with open(path, "wb") as file:
        for _ in range(size >> 20):
            file.write(block)
        file.write(b"the end")
    with mlflow.start_run() as run:
        mlflow.log_artifact(path, "model")
    [one] = MlflowClient().list_artifacts(run.info.run_id, "model")
    assert one.file_size == os.path.getsize(path), one
    back = mlflow.artifacts.download_artifacts(
        run_id=run.info.run_id, artifact_path="model/weights.bin", dst_path=os.path.join(folder, "b"))
    def digest(name):
        with open(name, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    assert digest(back) == digest(path)
"""


def walk(lab, scratch, mebibytes=64):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("MLFLOW_")}
    parts = {"MLFLOW_ENABLE_PROXY_MULTIPART_UPLOAD": "true",
             "MLFLOW_MULTIPART_UPLOAD_MINIMUM_FILE_SIZE": str(20 << 20),
             "MLFLOW_ENABLE_PROXY_MULTIPART_DOWNLOAD": "true"}
    for name in ("mlflow2", "mlflow3"):
        for more in ({}, parts):
            done = subprocess.run(
                [str(environment(name)), "-W", "ignore", "-c", SCRIPT, str(mebibytes << 20)],
                capture_output=True, text=True, cwd=scratch, check=False,
                env={**clean, **more, "MLFLOW_TRACKING_TOKEN": lab.ada,
                     "MLFLOW_TRACKING_URI": f"{lab.url}/mlflow/lab",
                     "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1", "MLFLOW_DISABLE_TELEMETRY": "true",
                     "GIT_PYTHON_REFRESH": "quiet"})
            how = "in parts" if more else "as a whole"
            assert done.returncode == 0, f"{name} {how}: {done.stderr[-1500:]}"

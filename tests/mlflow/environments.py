"""The virtual environments of MLflow's clients, shared by the suites and benchmarks of tracking."""

import fcntl
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENTS = {"mlflow2": ["mlflow==2.22.5", "scikit-learn==1.9.1"],
           "mlflow3": ["mlflow==3.17.2", "scikit-learn==1.9.1"],
           # As a server, for benchmarks.
           "mlflow3-server": ["mlflow==3.17.2", "psycopg2-binary==2.9.13"]}


def environment(name):
    """The interpreter of a client's environment; made the first time, by one suite of those that need it."""
    folder = ROOT / "build/venv" / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return made(CLIENTS[name], folder)


def made(packages, folder):
    mark = folder / "complete"
    wanted = " ".join(packages)
    if not mark.exists() or mark.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(folder / "bin/python"), "-m", "pip", "install", "--quiet",
                        "--disable-pip-version-check", *packages], check=True)
        mark.write_text(wanted, encoding="utf-8")
    return folder / "bin/python"

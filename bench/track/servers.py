"""The servers that are measured: ours, and MLflow's with SQLite and with PostgreSQL."""

import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mlflow"))
from environments import environment  # noqa: E402
from lab import Lab  # noqa: E402
from yard import free_port  # noqa: E402


class Ours:
    """With its defaults; the caller is an L1 researcher."""

    name = "gpuyard"
    most_per_second = 5000  # requests that are prepared for each second

    def __init__(self, scratch):
        self.lab = Lab(scratch)
        self.port, self.token = self.lab.server.port, self.lab.ada

    def restart(self):
        """What was logged is in its last form on the disk afterwards."""
        self.lab.server.stop()
        self.lab.server.start()
        self.lab.server.wait_ready()

    def end(self):
        self.lab.end()


class MlFlow:
    """MLflow's own server with its defaults."""

    token = ""
    most_per_second = 500

    def __init__(self, name, scratch, store):
        self.name = name
        self.port = free_port()
        self.log = open(scratch / f"{name}.log", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [str(environment("mlflow3-server")), "-m", "mlflow", "server", "--host", "127.0.0.1",
             "--port", str(self.port), "--backend-store-uri", store,
             "--artifacts-destination", str(scratch / f"{name}-artifacts")],
            stdout=self.log, stderr=self.log, start_new_session=True,
            env={**os.environ, "MLFLOW_DISABLE_TELEMETRY": "true"})
        end = time.monotonic() + 180
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).read()
                return
            except OSError:
                time.sleep(0.2)
        raise AssertionError(f"{name} never answered; see {self.log.name}")

    def end(self):
        os.killpg(self.process.pid, 9)
        self.process.wait()
        self.log.close()


class Postgres:
    """A database cluster of its own with its defaults, on a unix socket alone."""

    def __init__(self, scratch):
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        assert programs, "PostgreSQL is missing: apt-get install postgresql"
        self.programs = programs[-1]
        self.folder = scratch / "postgres"
        self.folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        scratch.chmod(0o711)
        self.run("initdb", "-D", self.folder / "data", "-U", "postgres", "-A", "trust")
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o",
                 f"-c listen_addresses='' -k {self.folder} -c max_connections=300", "start")
        self.run("createdb", "-h", self.folder, "-U", "postgres", "mlflow")
        self.store = f"postgresql+psycopg2://postgres@/mlflow?host={self.folder}"

    def run(self, program, *words):
        # The database does not run as root.
        other = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run([*other, str(self.programs / program), *map(str, words)], check=True,
                       stdout=subprocess.DEVNULL, cwd=self.folder)

    def end(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")

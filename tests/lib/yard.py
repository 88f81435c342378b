"""For suites in Python: a real server that is started, killed and started again, a client of its
API, and what nothing may be left of when work has ended."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("YARD_BUILD", ROOT / "build/release")).resolve() / "gpuyard"
PASSWORD = "correct-horse-battery"
ADMIN = "admin@gpuyard.local"
PATIENCE = 120
# As whom plain work of the suites runs: as they do.
OWN_TASKS = "root" if os.geteuid() == 0 else "self"
GONE = (ConnectionError, http.client.HTTPException, TimeoutError)


def until(what, condition):
    """Waits for the condition; the last answer is in the message if it never holds."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"never: {what}; last {answer!r}")


def is_alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


RESERVED = []


def free_port():
    """A port that stays this process's own: bound, so that nobody else is given it, and not listened
    on, so that a server that reuses addresses can."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    RESERVED.append(held)
    return held.getsockname()[1]


def paths_below(folder):
    """All files and folders below; what goes while they are listed may be missing."""
    for place, folders, files in os.walk(folder):  # passes over a folder that is gone
        for name in folders + files:
            yield pathlib.Path(place) / name


def report(name, function, *arguments, remark=""):
    """One line of the suite's output. Whether it went well."""
    try:
        function(*arguments)
    except Exception as error:  # every failure is a line of the report
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:700]
        print(f"not ok {name} {reason}{remark}", flush=True)
        return False
    print(f"ok {name}", flush=True)
    return True


class Server:
    """A server on a port and a data directory of its own, which stay the same over its lives."""

    def __init__(self, scratch, data=None):
        self.port = free_port()
        # It holds sockets, so its path must be short.
        self.data = data or pathlib.Path(tempfile.mkdtemp(prefix="gyt-"))
        self.tasks = pathlib.Path(f"{self.data}-tasks") if os.geteuid() == 0 else self.data / "tasks"
        self.home = scratch
        self.program = [str(PROGRAM)]  # with what goes before it, to start it as somebody else
        self.process = None
        self.log = open(scratch / "server.log", "a", encoding="utf-8")

    def start(self, gpus="64xA100:40Gi", tasks=OWN_TASKS, options=()):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("GPUYARD_")}
        self.process = subprocess.Popen(
            [*self.program, "server", "--data-dir", str(self.data), "--tls", "off",
             "--listen", f"127.0.0.1:{self.port}", "--tools-listen", "127.0.0.1:0",
             "--declared-gpus", gpus,
             "--native-tasks", tasks, *options], stdout=subprocess.DEVNULL, stderr=self.log,
            env={**clean, "HOME": str(self.home), "GPUYARD_ADMIN_PASSWORD": PASSWORD})

    def wait_ready(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert self.process.poll() is None, \
                f"the server ended with {self.process.returncode}: {self.last_words()}"
            with contextlib.suppress(*GONE):
                if Client(self.port).ask("GET", "/readyz")[0] == 200:
                    return
            time.sleep(0.01)
        raise AssertionError("the server never became ready")

    def last_words(self):
        return " ".join(pathlib.Path(self.log.name).read_text(errors="replace").split())[-600:]

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=PATIENCE)
        assert code == 0, f"the server ended with {code}"

    def remove(self):
        self.kill()
        self.log.close()
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.rmtree(self.tasks, ignore_errors=True)


class Client:
    token = ""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        if Client.token:
            headers["Authorization"] = f"Bearer {Client.token}"
        self.connection.request(method, path, json.dumps(body) if body is not None else None,
                                headers)
        reply = self.connection.getresponse()
        return reply.status, reply.read()

    def get(self, path):
        status, body = self.ask("GET", path)
        assert status == 200, f"GET {path}: {status} {body[:300]}"
        return json.loads(body)

    def make(self, path, body):
        status, answer = self.ask("POST", path, body)
        assert status in (200, 201, 202), f"POST {path}: {status} {answer[:300]}"
        return json.loads(answer)

    def workloads(self, deleted="false"):
        """All of them by name, page by page."""
        found = {}
        while True:
            page = self.get(f"/api/v1/workloads?limit=500&offset={len(found)}&sortBy=name"
                            f"&deleted={deleted}")["workloads"]
            found.update((one["name"], one) for one in page)
            if len(page) < 500:
                return found

    def settle_in(self):
        """Signs in and makes a project: the ids of the cluster and of the project."""
        Client.token = self.make("/api/v1/token", {
            "grantType": "password", "username": ADMIN, "password": PASSWORD})["accessToken"]
        cluster = self.get("/api/v1/clusters")[0]["uuid"]
        pool = self.get("/api/v1/node-pools")["nodepools"][0]["id"]
        made = self.make("/api/v1/org-unit/projects", {
            "name": "lab", "clusterId": cluster,
            "resources": [{"nodePool": {"id": pool}, "gpu": {"deserved": 64}}]})
        return cluster, made["id"]


def attempts_put_away(database):
    """The names of the attempts whose tasks have no folder any more."""
    if not database.exists():
        return set()
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as ended:
        return {str(uuid.UUID(bytes=attempt))
                for (attempt,) in ended.execute("SELECT attempt FROM ended")}


def expect_nothing_left(server):
    """No process, mount, control group or GPU assignment of work that has ended."""
    folder = str(server.tasks)
    for link in pathlib.Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            assert not os.readlink(link).startswith(folder), f"a process is left: {link}"
    # Not in namespaces of others: a copy that another suite made of ours is not the server's. A
    # process of the work that holds one is in a control group of the work.
    mounts = pathlib.Path("/proc/self/mounts").read_text(encoding="utf-8")
    assert folder not in mounts, f"a mount is left: {mounts}"
    names = {task.name.partition(".")[0] for task in server.tasks.glob("tasks/*")}
    names |= attempts_put_away(server.tasks / "ended.db")
    groups = [path for path in paths_below("/sys/fs/cgroup")
              if path.parent.name.startswith("gpuyard-") and path.name.partition(".")[0] in names]
    assert not groups, f"control groups are left: {groups[:3]}"
    for gpu in Client(server.port).get("/api/v1/gpus")["gpus"]:
        assert not gpu["workloads"], f"a GPU is still given to {gpu['workloads']}"

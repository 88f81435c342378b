"""A server that drives three clusters: this machine, a simulated one and the real Slurm of tests/slurm/lab
behind ssh; with an ordinary member of its projects and the administrator of their department.
"""

import contextlib
import os
import pathlib
import secrets
import shutil
import subprocess
import tempfile

from yard import GONE, PASSWORD, PROGRAM, Client, Server, until

LAB_TOOL = pathlib.Path(__file__).resolve().parents[1] / "slurm/lab"
LONGEST_DATA_DIR = 73
SETTINGS = """clusters:
  cloud:
    engine: sim
    gpus: 4xH100:80Gi
  institute:
    engine: slurm
    folder: {folder}
    ssh: {account}@127.0.0.1
    ssh-port: {port}
    ssh-key: {lab}/etc/login_key
    ssh-known-hosts: {lab}/etc/known_hosts
    slurm-conf: {lab}/etc/slurm.conf
    gpu-memory: a100=40Gi,h100=80Gi
"""


class SlurmLab:
    """A real Slurm, and an account on it that is nobody else's. It writes its log to `scratch`."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="gpuyard-slurm-", dir="/tmp"))
        self.account = f"gyc{secrets.token_hex(4)}"

    def start(self):
        with open(self.scratch / "lab.log", "w", encoding="utf-8") as log:
            subprocess.run([LAB_TOOL, "start", self.dir], stdout=log, stderr=log, check=True)
        self.env = {}
        for line in (self.dir / "env").read_text().splitlines():
            for word in line.removeprefix("export ").split():
                name, _, value = word.partition("=")
                self.env[name] = value
        subprocess.run(["useradd", "--create-home", "--home-dir", self.dir / "home",
                        "--shell", "/bin/sh", "--password", "*", self.account], check=True)
        self.folder = self.dir / "shared"
        self.folder.mkdir()
        shutil.chown(self.folder, self.account, self.account)

    def turn(self, verb, daemon):
        subprocess.run([LAB_TOOL, verb, self.dir, daemon], check=True, timeout=60,
                       stdout=subprocess.DEVNULL)

    def slurm(self, *words):
        done = subprocess.run(words, env={**os.environ, **self.env}, capture_output=True, text=True,
                              check=True, timeout=60)
        return done.stdout

    def stop(self):
        with open(self.scratch / "lab.log", "a", encoding="utf-8") as log:
            subprocess.run([LAB_TOOL, "stop", self.dir], stdout=log, stderr=log, check=False)
        subprocess.run(["userdel", "--force", self.account], stderr=subprocess.DEVNULL, check=False)


class Member(Client):
    """Somebody with a role in one project and no more."""

    def __init__(self, port, token):
        super().__init__(port)
        self.own = token

    def ask(self, method, path, body=None):
        whose, Client.token = Client.token, self.own
        try:
            return super().ask(method, path, body)
        except GONE:
            self.connection.close()
            raise
        finally:
            Client.token = whose


class World:
    def __init__(self, lab, scratch):
        self.lab, self.scratch = lab, scratch
        # As long a folder as the server takes: ssh makes its sockets there.
        prefix = "gpuyard-clusters-".ljust(LONGEST_DATA_DIR - len("/tmp/12345678"), "d")
        self.server = Server(scratch, pathlib.Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp")))
        assert len(str(self.server.data)) == LONGEST_DATA_DIR
        self.people = []
        self.config = scratch / "server.yaml"
        self.config.write_text(SETTINGS.format(lab=lab.dir, account=lab.account, folder=lab.folder,
                                               port=lab.env["YARD_LOGIN_PORT"]))
        self.starts = lab.folder / "starts"
        self.starts.mkdir(mode=0o777)
        self.starts.chmod(0o777)

    def launch(self):
        self.server.start(gpus="4xA100:40Gi", tasks="isolated",
                          options=("--config", str(self.config), "--server-account", "root"))
        self.server.wait_ready()
        for person in self.people:  # those of the server before are gone
            person.connection.close()

    def settle_in(self):
        self.admin = Client(self.server.port)
        Client.token = self.admin.make("/api/v1/token", {
            "grantType": "password", "username": "admin@gpuyard.local",
            "password": PASSWORD})["accessToken"]
        self.ids = {one["name"]: one["uuid"] for one in self.admin.get("/api/v1/clusters")}
        self.projects = {name: self.project(name, [self.ids[name]]) for name in self.ids}
        self.projects["several"] = self.project("several", [self.ids["local"], self.ids["cloud"]])
        roles = {one["name"]: one["id"] for one in self.admin.get("/api/v1/authorization/roles")}
        projects = [("project", str(ident)) for ident in self.projects.values()]
        self.token = self.person("ada@lab.org", roles["L1 researcher"], projects)
        self.ada = Member(self.server.port, self.token)
        own = self.admin.get(f"/api/v1/org-unit/projects/{self.projects['local']}")
        self.head = Member(self.server.port, self.person(
            "head@lab.org", roles["Department administrator"], [("department", own["parentId"])]))
        self.people = [self.admin, self.ada, self.head]

    def project(self, name, clusters):
        pools = [one for one in self.admin.get("/api/v1/node-pools")["nodepools"]
                 if one["clusterId"] in clusters]
        return self.admin.make("/api/v1/org-unit/projects", {
            "name": f"in-{name}", "clusterId": clusters[0], "clusters": clusters,
            "resources": [{"nodePool": {"id": one["id"]}, "gpu": {"deserved": 32}}
                          for one in pools]})["id"]

    def person(self, email, role, scopes):
        made = self.admin.make("/api/v1/users", {"email": email})
        for kind, ident in scopes:
            self.admin.make("/api/v1/authorization/access-rules", {
                "subjectId": email, "subjectType": "user", "roleId": role,
                "scopeId": ident, "scopeType": kind})
        first = self.sign_in(email, made["tempPassword"])
        status, body = Member(self.server.port, first).ask(
            "POST", "/api/v1/me/password",
            {"currentPassword": made["tempPassword"], "newPassword": PASSWORD})
        assert status < 300, (status, body)
        return Member(self.server.port, self.sign_in(email, PASSWORD)).make(
            "/api/v1/me/tokens", {"name": "test"})["token"]

    def sign_in(self, email, password):
        return Client(self.server.port).make("/api/v1/token", {
            "grantType": "password", "username": email, "password": password})["accessToken"]

    def submit(self, project, name, script, cluster=None, **compute):
        """As an ordinary member; a plain process. Simulated machines know `sleep`, and no files."""
        if project in ("cloud", "several"):
            command, _, args = script.partition(" ")
        else:
            path = self.starts / f"{name}.sh"
            path.write_text(script + "\n")
            command, args = "/bin/sh", str(path)
        return self.ada.make("/api/v1/workloads/trainings", {
            "name": name, "projectId": self.projects[project],
            "clusterId": cluster or self.ids.get(project, self.ids["local"]),
            "spec": {"command": command, "args": args, "terminationGracePeriodSeconds": 5,
                     "compute": {"cpuCoreRequest": 0.1, "cpuMemoryRequest": "50M",
                                 **compute}}})["workloadId"]

    def one(self, ident):
        return self.ada.get(f"/api/v1/workloads/{ident}")

    def phase(self, ident):
        return self.one(ident)["phase"]

    def wait(self, ident, *phases):
        return until(f"{ident} is {phases}", lambda: self.phase(ident) in phases and
                     self.one(ident))

    def ends(self, ident):
        return self.ada.get(f"/api/v1/workloads/{ident}/attempts")["attempts"]

    def log(self, ident):
        status, body = self.ada.ask("GET", f"/api/v1/workloads/{ident}/logs")
        assert status == 200, (status, body)
        return body.decode()

    def gy(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120,
                              check=False, stdin=subprocess.DEVNULL,
                              env={"PATH": os.environ["PATH"], "HOME": str(self.scratch),
                                   "GPUYARD_URL": f"http://127.0.0.1:{self.server.port}",
                                   "GPUYARD_TOKEN": self.token})
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def cluster_state(self, name):
        return next(one["status"]["state"] for one in self.admin.get("/api/v1/clusters")
                    if one["name"] == name)

    def node(self, cluster):
        return [one for one in self.admin.get("/api/v1/nodes")["nodes"]
                if one["clusterName"] == cluster]

    def started(self, name):
        with contextlib.suppress(FileNotFoundError):
            return len((self.starts / name).read_text().split())
        return 0

"""The site that attempts are made at: a server, two projects in two departments, and people.

| who     | may                                                      |
| admin   | everything                                               |
| mallory | L2 researcher and ML engineer of project `one`           |
| laura   | L1 researcher and ML engineer of project `one`           |
| otto    | L1 researcher of project `two`, in another department    |
| clerk   | submits trainings to `one`, without a right on credentials |
"""

import http.client
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from yard import ADMIN, PASSWORD, ROOT, Server, until

SCRATCH = pathlib.Path(os.environ.get("YARD_SCRATCH", "/tmp/gpuyard-attacks-test"))
IMAGE = "localhost/gpuyard-test:1"
DAEMON = os.environ.get("YARD_DAEMON", "podman")  # or docker


class Skip(BaseException):
    """Raised by an attempt that this machine cannot make."""


class Person:
    """One user of the API."""

    def __init__(self, site, token):
        self.site = site
        self.token = token

    def ask(self, method, path, body=None):
        """The status and the answer, parsed if it is JSON."""
        link = http.client.HTTPConnection("127.0.0.1", self.site.server.port, timeout=60)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        link.request(method, path, json.dumps(body) if body is not None else None, headers)
        reply = link.getresponse()
        text = reply.read()
        link.close()
        try:
            return reply.status, json.loads(text)
        except ValueError:
            return reply.status, text.decode(errors="replace")

    def make(self, path, body, method="POST"):
        status, answer = self.ask(method, path, body)
        assert status in (200, 201, 202, 204), f"{method} {path}: {status} {answer}"
        return answer

    def submit(self, spec, kind="trainings", project="one", **more):
        """The status and the answer of a submission."""
        self.site.count += 1
        body = {"name": f"try-{self.site.count}", "clusterId": self.site.cluster,
                "projectId": self.site.projects.get(project, project), "spec": spec, **more}
        return self.ask("POST", f"/api/v1/workloads/{kind}", body)

    def run(self, spec, kind="trainings", project="one"):
        """The id of work that was taken."""
        status, answer = self.submit(spec, kind, project)
        assert status in (200, 202), f"{status} {answer}"
        return answer["workloadId"]

    def outcome(self, ident):
        """The newest attempt of work that has ended, and its log."""
        def ended():
            status, answer = self.ask("GET", f"/api/v1/workloads/{ident}/attempts")
            newest = answer["attempts"][-1] if status == 200 and answer["attempts"] else {}
            return newest if newest.get("endedAt") else None
        attempt = until(f"{ident} ends", ended)
        return attempt, self.ask("GET", f"/api/v1/workloads/{ident}/logs")[1]


def refused(answer, *words):
    """An answer that says no, and says why."""
    status, body = answer
    assert status == 403, f"not refused: {status} {body}"
    text = json.dumps(body)
    for word in words:
        assert word in text, f"'{word}' is not in {text}"


class Site:
    def __init__(self):
        SCRATCH.mkdir(parents=True, exist_ok=True)
        self.lab = None
        self.as_server = []  # words that make a command one of the server's account
        self.daemon = ""
        self.count = 0
        self.projects = {}
        self.people = {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gya-"))
        self.folder.chmod(0o755)

    def __enter__(self):
        if os.geteuid() == 0:
            self.start_lab()
        self.server = Server(SCRATCH)
        options = ["--container-socket", self.daemon] if self.daemon else []
        self.server.start(gpus="8xA100:40Gi", tasks="owner", options=options)
        try:
            self.server.wait_ready()
            self.settle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.server.remove()
        if self.lab:
            subprocess.run([ROOT / "tests/containers/lab", "stop", self.lab], check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start_lab(self):
        """A rootful daemon of its own."""
        self.lab = tempfile.mkdtemp(prefix="gyl-", dir="/tmp")
        with open(SCRATCH / "lab.log", "w", encoding="utf-8") as log:
            started = subprocess.run([ROOT / "tests/containers/lab", "start", self.lab, DAEMON],
                                     stdout=log, stderr=log, check=False)
        assert started.returncode == 0, (SCRATCH / "lab.log").read_text()[-300:]
        self.daemon = f"{self.lab}/daemon.sock"

    def needs_containers(self):
        if not self.daemon:
            raise Skip("needs root for a container daemon of its own")

    def is_container_root(self, uid):
        """An unused id of the machine, the first of a project's range."""
        return uid >= 0x70000000

    def sign_in(self, email, password):
        nobody = Person(self, "")
        return Person(self, nobody.make("/api/v1/token", {
            "grantType": "password", "username": email, "password": password})["accessToken"])

    def settle(self):
        admin = self.people["admin"] = self.sign_in(ADMIN, PASSWORD)
        self.cluster = admin.make("/api/v1/clusters", None, "GET")[0]["uuid"]
        pool = admin.make("/api/v1/node-pools", None, "GET")["nodepools"][0]["id"]
        quota = [{"nodePool": {"id": pool}, "gpu": {"deserved": 4}}]
        for name in ("one", "two"):
            department = admin.make("/api/v1/org-unit/departments", {
                "name": f"dept-{name}", "clusterId": self.cluster, "resources": quota})
            project = admin.make("/api/v1/org-unit/projects", {
                "name": name, "clusterId": self.cluster, "parentId": department["id"],
                "resources": quota})
            self.projects[name] = project["id"]
        roles = {role["name"]: role["id"]
                 for role in admin.make("/api/v1/authorization/roles", None, "GET")}
        roles["clerk"] = admin.make("/api/v1/authorization/roles", {
            "name": "clerk", "description": "submits",
            "permissions": [{"resourceType": "trainings", "actions": ["create", "read"]}]})["id"]
        self.add("mallory", "one", roles["L2 researcher"], roles["ML engineer"])
        self.add("laura", "one", roles["L1 researcher"], roles["ML engineer"])
        self.add("otto", "two", roles["L1 researcher"])
        self.add("clerk", "one", roles["clerk"])

    def add(self, name, project, *roles):
        admin, email = self.people["admin"], f"{name}@lab.example.org"
        made = admin.make("/api/v1/users", {"email": email, "resetPassword": False})
        for role in roles:
            admin.make("/api/v1/authorization/access-rules", {
                "subjectId": email, "subjectType": "user", "roleId": role,
                "scopeId": self.projects[project], "scopeType": "project"})
        self.people[name] = self.sign_in(email, made["tempPassword"])

    def __getattr__(self, name):
        try:
            return self.__dict__["people"][name]
        except KeyError:
            raise AttributeError(name) from None

    def allow(self, **lists):
        """Replaces what project `one` may have of the machine."""
        self.people["admin"].make(f"/api/v1/host-access/project/{self.projects['one']}", lists,
                                  "PUT")
